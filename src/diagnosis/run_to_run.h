// What two runs differ by beside their steps' own noise: cores that others had in one of them, and what the
// same program takes longer or shorter when it is run again.
//
// Called by compare(). The noise within two runs says nothing of it: steps of one run are alike because they
// share its circumstances. Pure.
#pragma once

#include "analysis/run_facts.h"
#include "analysis/step_comparison.h"

namespace latido::diagnosis {

// The speed-up that was measured, ÷ and × these, is what the circumstances leave possible. Both ≥ 1.
struct RunToRun {
  double slower = 1;
  double faster = 1;
};

// The same program again, on a machine that nothing else was seen to use.
inline constexpr double kAgainRatio = 0.25;

// What others may have cost the steps of a run, as a share of them: waiting for a core, and slower cores.
double contention_cost(const analysis::RunFacts& facts);

// Costs as of contention_cost(); 0 where a run was not contended.
RunToRun run_to_run(double before_cost, double after_cost, bool nothing_changed) noexcept;

// With its interval and p as wide as `spread` leaves them.
analysis::StepComparison widened(analysis::StepComparison step, const RunToRun& spread);

}  // namespace latido::diagnosis
