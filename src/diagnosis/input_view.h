// InputView: the input pipeline of the rank that a StepView looks at, as the rules about input need it.
//
// Called by the rules. Holds pointers into the RunFacts that it was made from.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/run_facts.h"
#include "diagnosis/contention.h"
#include "diagnosis/pipeline_model.h"
#include "diagnosis/step_view.h"
#include "diagnosis/thresholds.h"

namespace latido::diagnosis {

struct InputView {
  StepView view;
  const analysis::LoaderFacts* loader = nullptr;  // into the facts; nullptr when not seen
  double cores = 1;                               // usable by this rank
  std::optional<double> idle_cores{};             // of the machine
  std::optional<double> run_cores{};              // kept busy by the run
  bool cores_full = false;                        // by this run
  std::optional<Contention> taken{};              // all cores are busy, some of them for others
  std::optional<double> busy_ratio{};             // mean over workers
  std::optional<double> cpu_ratio{};              // mean over workers
  // The same with the time in which they were ready and had no core; empty: not known.
  std::optional<double> wanted_ratio{};
  std::uint64_t affected = 0;  // steps that wait for more than the threshold
  std::uint64_t steps = 0;     // steady ones
  PipelineObservation observed{};
};

InputView input_view(const analysis::RunFacts& facts, const StepView& view,
                     const Thresholds& thresholds);

}  // namespace latido::diagnosis
