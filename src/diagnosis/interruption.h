// Interruption: what stops the training now and then, evaluation or checkpoint, inside or between steps.
//
// Called by the two rules about them, which differ in names and threshold only.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/run_facts.h"
#include "diagnosis/step_view.h"
#include "model/finding.h"

namespace latido::diagnosis {

struct Interruption {
  std::int64_t outside_ns = 0;  // between steps, over the whole run
  std::uint32_t times = 0;      // between steps
  std::uint32_t steps_with =
      0;  // steps that have some; of a run too long to keep all, as many as that makes
  std::int64_t in_steps_ns = 0;  // inside steady steps, all of them together
  std::int64_t mean_in_step_ns = 0;
  double run_ratio = 0;  // of the wall time of the rank, both together

  // How often; two in one step count as one.
  std::uint32_t all_times() const noexcept { return times + steps_with; }
};

Interruption interruption(const StepView& view, std::int64_t outside_ns, std::uint32_t times,
                          model::OtherPart part);

// "each_ns" where the number of times is known.
model::Params time_params(const Interruption& interruption, const StepView& view,
                          const char* time_name, const char* times_name);

}  // namespace latido::diagnosis
