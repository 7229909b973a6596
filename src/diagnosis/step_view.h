// StepView: the steady steps of a run in the numbers that most rules ask for.
//
// Called by the rules. Where several ranks step together, the one that waits longest for its input
// is looked at: the others wait for it.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/run_facts.h"

namespace latido::diagnosis {

struct StepView {
  const analysis::RankFacts* rank = nullptr;  // into the RunFacts that were looked at
  std::size_t ranks = 0;                      // that step
  double step_ns = 0;                         // means over steady steps
  double half_width_ns = 0;                   // of the 90 % interval of step_ns
  double wait_ns = 0;                         // 0 when not measured
  double compute_ns = 0;                      // forward + backward + optimizer, as far as measured
  double batches_per_step = 1;
  double steps_ratio = 1;  // steady steps, of the run's wall time

  double wait_ratio() const noexcept { return wait_ns / step_ns; }
  double compute_ratio() const noexcept { return compute_ns / step_ns; }
};

// Empty when no rank has a steady step.
std::optional<StepView> step_view(const analysis::RunFacts& facts);

// Steady steps of the rank that has most.
std::uint64_t steady_steps(const analysis::RunFacts& facts) noexcept;

// False when copies to a device were seen: host time of a phase is then not what limits it.
bool computes_on_host(const StepView& view) noexcept;

// 0 where it was not measured.
double phase_ns(const analysis::RankFacts& rank, model::Phase phase) noexcept;

// The time range that evidence refers to: the steady steps, else the whole run.
struct Window {
  std::int64_t start_ns = 0;
  std::int64_t end_ns = 0;
};
Window steady_window(const analysis::RunFacts& facts) noexcept;

// Usable cores: as sampled, else as the environment says, else 1.
double usable_cores(const analysis::RunFacts& facts) noexcept;

// How busy the usable cores are. Where a quota or an affinity mask confines the run to a part of the
// machine, what the rest of the machine does says nothing: then what the run itself uses.
std::optional<double> busy_cores(const analysis::RunFacts& facts) noexcept;

// Cores that programs outside the run keep busy; empty when confined or not sampled.
std::optional<double> foreign_cores(const analysis::RunFacts& facts) noexcept;

// Usable cores that nobody keeps busy.
std::optional<double> idle_cores(const analysis::RunFacts& facts) noexcept;
bool cores_full(const analysis::RunFacts& facts, double full_ratio) noexcept;

}  // namespace latido::diagnosis
