// Reads a recorded run back and analyses it, by the same code as while it lived.
#pragma once

#include <filesystem>
#include <optional>

#include "analysis/run_facts.h"
#include "base/result.h"
#include "diagnosis/thresholds.h"
#include "model/finding.h"

namespace latido::session {

struct LoadedRun {
  analysis::RunFacts facts;
  model::Diagnosis diagnosis;
  // What was said at the end of the run, by the version that recorded it: predictions are scored
  // against this one. Empty when the recorder was killed before.
  std::optional<model::Diagnosis> said;
};

// What is damaged is left out and counted in the facts' quality.
// Errors: kNotFound when there is no run at `path`, kUnsupported when a newer version recorded it,
// kDataLoss when nothing of it can be read.
Result<LoadedRun> load_run(const std::filesystem::path& path,
                           const diagnosis::Thresholds& thresholds);

}  // namespace latido::session
