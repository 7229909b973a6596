// Contention: what programs outside the run take from it, judged in one place by one threshold.
//
// Called by the rules, by diagnose() for what it says beside any verdict, and by compare(). Pure.
#pragma once

#include <optional>

#include "analysis/run_facts.h"
#include "diagnosis/step_view.h"
#include "diagnosis/thresholds.h"

namespace latido::diagnosis {

struct Contention {
  double foreign_cores = 0;  // kept busy by programs outside the run
  double cores = 0;          // usable
};

// Others keep `foreign_cores_ratio` of the cores busy. Empty: less, or not known.
std::optional<Contention> contention(const analysis::RunFacts& facts, const Thresholds& thresholds);

// Of a step: time in which the run was ready to go on and others had the cores.
struct CoreWait {
  double ns = 0;
  bool measured =
      false;  // by the kernel; else an estimate from how much of the processor they have
};

// Waiting for a core that the run's own processes have is not in it. 0 where others take nothing.
CoreWait core_wait(const analysis::RunFacts& facts, const StepView& view);

// The longest that threads which keep `cpu_cores` busy can have waited for a core, as a share of the time,
// when others have the share `lost` of the processor.
double most_core_wait_ratio(const analysis::RunFacts& facts, double cpu_cores, double lost);

}  // namespace latido::diagnosis
