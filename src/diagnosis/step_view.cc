#include "diagnosis/step_view.h"

#include <algorithm>

namespace latido::diagnosis {
namespace {

using analysis::RankFacts;

bool has_steps(const RankFacts& rank) { return rank.stats.count > 0 && rank.stats.mean_ns > 0; }

double batches_per_step(const RankFacts& rank) {
  std::uint64_t batches = 0;
  std::uint64_t steps = 0;
  for (const model::Step& step : rank.steps) {
    if (step.warmup()) continue;
    batches += step.batches;
    ++steps;
  }
  if (batches == 0 || steps == 0) return 1.0;
  return static_cast<double>(batches) / static_cast<double>(steps);
}

double ratio_of_steps(const RankFacts& rank) {
  const std::int64_t sum = rank.parts.sum_ns();
  if (sum <= 0) return 1.0;
  return static_cast<double>(rank.parts.steps_ns) / static_cast<double>(sum);
}

const RankFacts* slowest_input(const analysis::RunFacts& facts) {
  const RankFacts* slowest = nullptr;
  for (const RankFacts& rank : facts.ranks) {
    if (!has_steps(rank)) continue;
    if (slowest == nullptr ||
        phase_ns(rank, model::Phase::kDataWait) > phase_ns(*slowest, model::Phase::kDataWait)) {
      slowest = &rank;
    }
  }
  return slowest;
}

bool is_confined(const analysis::RunFacts& facts) {
  constexpr double kSlack = 0.95;  // the machine's cores are measured, as time that passed on them
  const std::optional<double> machine = facts.resources.machine_cores;
  return machine && usable_cores(facts) < kSlack * *machine;
}

}  // namespace

double phase_ns(const RankFacts& rank, model::Phase phase) noexcept {
  const std::int64_t mean = rank.phases[static_cast<std::size_t>(phase)].mean_ns;
  return mean > 0 ? static_cast<double>(mean) : 0.0;
}

std::optional<StepView> step_view(const analysis::RunFacts& facts) {
  const RankFacts* rank = slowest_input(facts);
  if (rank == nullptr) return std::nullopt;
  const auto stepping = std::ranges::count_if(facts.ranks, has_steps);
  return StepView{.rank = rank,
                  .ranks = static_cast<std::size_t>(stepping),
                  .step_ns = static_cast<double>(rank->stats.mean_ns),
                  .half_width_ns = static_cast<double>(rank->stats.mean_half_width_ns),
                  .wait_ns = phase_ns(*rank, model::Phase::kDataWait),
                  .compute_ns = phase_ns(*rank, model::Phase::kForward) +
                                phase_ns(*rank, model::Phase::kBackward) +
                                phase_ns(*rank, model::Phase::kOptimizer),
                  .batches_per_step = batches_per_step(*rank),
                  .steps_ratio = ratio_of_steps(*rank)};
}

bool computes_on_host(const StepView& view) noexcept {
  return phase_ns(*view.rank, model::Phase::kH2d) == 0;
}

std::uint64_t steady_steps(const analysis::RunFacts& facts) noexcept {
  std::uint64_t most = 0;
  for (const RankFacts& rank : facts.ranks) most = std::max(most, rank.stats.count);
  return most;
}

Window steady_window(const analysis::RunFacts& facts) noexcept {
  for (const RankFacts& rank : facts.ranks) {
    if (has_steps(rank) && rank.steady_end_ns > rank.steady_start_ns) {
      return {rank.steady_start_ns, rank.steady_end_ns};
    }
  }
  return {facts.run.start_ns, facts.run.end_ns};
}

double usable_cores(const analysis::RunFacts& facts) noexcept {
  if (facts.resources.cores > 0) return facts.resources.cores;
  return facts.run.environment.cores > 0 ? static_cast<double>(facts.run.environment.cores) : 1.0;
}

std::optional<double> busy_cores(const analysis::RunFacts& facts) noexcept {
  return is_confined(facts) ? facts.resources.run_cpu_cores : facts.resources.cpu_busy_cores;
}

std::optional<double> foreign_cores(const analysis::RunFacts& facts) noexcept {
  const analysis::ResourceFacts& resources = facts.resources;
  if (is_confined(facts) || !resources.cpu_busy_cores || !resources.run_cpu_cores) {
    return std::nullopt;
  }
  return std::max(0.0, *resources.cpu_busy_cores - *resources.run_cpu_cores);
}

std::optional<double> idle_cores(const analysis::RunFacts& facts) noexcept {
  const std::optional<double> busy = busy_cores(facts);
  if (!busy) return std::nullopt;
  return std::max(0.0, usable_cores(facts) - *busy);
}

bool cores_full(const analysis::RunFacts& facts, double full_ratio) noexcept {
  const std::optional<double> busy = busy_cores(facts);
  return busy && *busy >= full_ratio * usable_cores(facts);
}

}  // namespace latido::diagnosis
