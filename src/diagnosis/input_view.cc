#include "diagnosis/input_view.h"

#include <algorithm>
#include <cmath>

namespace latido::diagnosis {
namespace {

std::optional<double> mean_over_workers(const analysis::RankFacts& rank,
                                        std::optional<double> analysis::WorkerFacts::*field) {
  double sum = 0;
  int known = 0;
  for (const analysis::WorkerFacts& worker : rank.workers) {
    if (!(worker.*field)) continue;
    sum += *(worker.*field);
    ++known;
  }
  if (known == 0) return std::nullopt;
  return sum / known;
}

// Of a long run only a part of the steps is kept: what they show is taken for all.
void count_affected(InputView& input, const Thresholds& thresholds) {
  std::uint64_t kept = 0;
  std::uint64_t waiting = 0;
  for (const model::Step& step : input.view.rank->steps) {
    if (step.warmup() || step.wall_ns <= 0) continue;
    ++kept;
    const auto wait =
        static_cast<double>(std::max<std::int64_t>(0, step.phase(model::Phase::kDataWait)));
    if (wait > thresholds.input_wait_ratio * static_cast<double>(step.wall_ns)) ++waiting;
  }
  input.steps = input.view.rank->stats.count;
  if (kept == 0) return;
  const double share = static_cast<double>(waiting) / static_cast<double>(kept);
  input.affected =
      static_cast<std::uint64_t>(std::llround(share * static_cast<double>(input.steps)));
}

// Cores left to this rank by programs outside the run, and by its sibling ranks.
double cores_of_rank(const analysis::RunFacts& facts, const StepView& view) {
  const double cores = usable_cores(facts) - foreign_cores(facts).value_or(0);
  return std::max(1.0, cores) / static_cast<double>(std::max<std::size_t>(1, view.ranks));
}

// Handing a batch over costs a fixed part (queue, file descriptor, mapping) and one by size.
double transfer_ns(const InputView& input) {
  constexpr double kPerBatch_ns = 300e3;
  constexpr double kBytesPerNs = 4.0;
  const auto bytes = static_cast<double>(batch_bytes(input.view.rank->batch_shape));
  return input.view.batches_per_step * (kPerBatch_ns + bytes / kBytesPerNs);
}

// Little processor time says that others had the core, or that there was nothing to compute: which of them,
// the time says in which it was wanted. Where that is not known, nothing is.
void allow_for_others(InputView& input) {
  PipelineObservation& observed = input.observed;
  const std::optional<double>& main_wait = input.view.rank->core_wait_ratio;
  observed.make_cpu_ratio = input.wanted_ratio;
  if (observed.main_cpu_cores && main_wait) {
    observed.main_cpu_cores = *observed.main_cpu_cores + *main_wait;
  } else {
    observed.main_cpu_cores.reset();
  }
}

}  // namespace

InputView input_view(const analysis::RunFacts& facts, const StepView& view,
                     const Thresholds& thresholds) {
  InputView input{.view = view, .cores = cores_of_rank(facts, view)};
  if (view.rank->loader) input.loader = &*view.rank->loader;
  input.idle_cores = idle_cores(facts);
  input.run_cores = facts.resources.run_cpu_cores;
  const bool full = cores_full(facts, thresholds.cores_full_ratio);
  if (full) input.taken = contention(facts, thresholds);
  input.cores_full = full && !input.taken;
  input.busy_ratio = mean_over_workers(*view.rank, &analysis::WorkerFacts::busy_ratio);
  input.cpu_ratio = mean_over_workers(*view.rank, &analysis::WorkerFacts::cpu_ratio);
  const auto core_wait = mean_over_workers(*view.rank, &analysis::WorkerFacts::core_wait_ratio);
  if (input.cpu_ratio && core_wait) {
    input.wanted_ratio = std::min(1.0, *input.cpu_ratio + *core_wait);
  }
  count_affected(input, thresholds);
  if (input.loader == nullptr) return input;
  input.observed = {
      .step_ns = view.step_ns,
      .wait_ns = view.wait_ns,
      .workers = input.loader->workers,
      .make_ns = static_cast<double>(input.loader->made_mean_ns) * view.batches_per_step,
      .worker_busy_ratio = input.busy_ratio.value_or(1.0),
      .make_cpu_ratio = input.cpu_ratio,
      .main_cpu_cores =
          view.rank->cpu_cores ? view.rank->cpu_cores : facts.resources.main_cpu_cores,
      .cores = input.cores,
      .transfer_ns = transfer_ns(input)};
  if (input.taken) allow_for_others(input);
  return input;
}

}  // namespace latido::diagnosis
