#include "diagnosis/contention.h"

#include <algorithm>

namespace latido::diagnosis {
namespace {

using analysis::RankFacts;
using analysis::RunFacts;
using analysis::WorkerFacts;

constexpr double kMostLost = 0.9;

// Processor time of the training, in cores; a core where it was not sampled.
double training_cores(const RunFacts& facts, const StepView& view) {
  if (view.rank->cpu_cores) return *view.rank->cpu_cores;
  return view.ranks == 1 ? facts.resources.main_cpu_cores.value_or(1.0) : 1.0;
}

// The processes of a run compete with each other, too: the share of a wait that is due to others.
double share_of_others(const RunFacts& facts, double own_cores) {
  const double foreign = foreign_cores(facts).value_or(0);
  const double beside = facts.resources.cpu_busy_cores.value_or(0) - own_cores;
  return beside > 0 ? std::clamp(foreign / beside, 0.0, 1.0) : 0.0;
}

double mean_over_workers(const RankFacts& rank, std::optional<double> WorkerFacts::*field) {
  double sum = 0;
  for (const WorkerFacts& worker : rank.workers) sum += (worker.*field).value_or(0);
  return rank.workers.empty() ? 0 : sum / static_cast<double>(rank.workers.size());
}

// A step that ends when all ranks do is as late as the latest of them.
std::optional<double> longest_core_wait(const RunFacts& facts) {
  std::optional<double> longest;
  for (const RankFacts& rank : facts.ranks) {
    if (rank.stats.count == 0 || !rank.core_wait_ratio) continue;
    longest = std::max(longest.value_or(0), *rank.core_wait_ratio);
  }
  return longest;
}

// Of a step that waits for workers: what they lack a core for, they are late by.
double late_by_workers_ns(const StepView& view, double worker_ratio) {
  const double busy = mean_over_workers(*view.rank, &WorkerFacts::busy_ratio);
  return std::min(view.wait_ns, view.step_ns * busy * worker_ratio);
}

double estimate_ns(const RunFacts& facts, const StepView& view) {
  const double lost = std::min(kMostLost, foreign_cores(facts).value_or(0) / usable_cores(facts));
  // Without workers the training thread makes the batches that it waits for.
  const bool makes_batches = view.rank->loader && view.rank->loader->workers == 0;
  const double working_ns = makes_batches ? view.step_ns : view.step_ns - view.wait_ns;
  const double main_ns =
      std::min(working_ns * lost,
               most_core_wait_ratio(facts, training_cores(facts, view), lost) * view.step_ns);
  const double worker_cpu = mean_over_workers(*view.rank, &WorkerFacts::cpu_ratio);
  return main_ns + late_by_workers_ns(view, most_core_wait_ratio(facts, worker_cpu, lost));
}

}  // namespace

std::optional<Contention> contention(const RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<double> foreign = foreign_cores(facts);
  const double cores = usable_cores(facts);
  if (!foreign || *foreign < thresholds.foreign_cores_ratio * cores) return std::nullopt;
  return Contention{.foreign_cores = *foreign, .cores = cores};
}

CoreWait core_wait(const RunFacts& facts, const StepView& view) {
  if (foreign_cores(facts).value_or(0) <= 0) return {};
  const std::optional<double> waited = longest_core_wait(facts);
  const double own_cores = training_cores(facts, view);
  // The kernel's account is of the training thread. Those that compute beside it are waited for as well.
  if (!waited) return {.ns = estimate_ns(facts, view), .measured = false};
  const double worker_ratio = mean_over_workers(*view.rank, &WorkerFacts::core_wait_ratio);
  const double waited_ns = *waited * view.step_ns + late_by_workers_ns(view, worker_ratio);
  const double ns = std::min(view.step_ns, waited_ns) * share_of_others(facts, own_cores);
  const double estimated_ns = own_cores > 1 ? estimate_ns(facts, view) : 0;
  return ns >= estimated_ns ? CoreWait{.ns = ns, .measured = true}
                            : CoreWait{.ns = estimated_ns, .measured = false};
}

double most_core_wait_ratio(const RunFacts& facts, double cpu_cores, double lost) {
  // Against one rival on each core, a thread waits for it no longer than it has it.
  const double per_core_time = std::min(1.0, lost / (1.0 - lost));
  const double by_own_use = std::min(1.0, cpu_cores) * per_core_time;
  // And nobody waited while no task of the machine did.
  return std::min(by_own_use, facts.resources.psi_cpu_some_ratio.value_or(1.0));
}

}  // namespace latido::diagnosis
