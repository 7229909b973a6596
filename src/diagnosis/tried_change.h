// Whether the change that a finding asked for was made between two runs, as far as they show it.
//
// Called by compare(): a prediction is held against the next run only where its change is seen. The
// step time is never looked at, since that is what the prediction is about. What no recording can show
// (bfloat16 instead of more cores) counts as not made: a wrong score is worse than none. Pure.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/run_facts.h"
#include "model/finding.h"

namespace latido::diagnosis {

enum class Tried : std::uint8_t {
  kNot,        // nothing shows that it was
  kOtherwise,  // the same thing was changed, but not to what the prediction was for
  kAsAsked,
};

struct TriedChange {
  Tried tried = Tried::kNot;
  std::vector<model::Message> notes;  // "compare.prediction.…": why there is no score
};

TriedChange tried_change(const model::Finding& finding, const analysis::RunFacts& before,
                         const analysis::RunFacts& after);

}  // namespace latido::diagnosis
