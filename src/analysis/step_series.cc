#include "analysis/step_series.h"

#include <algorithm>

#include "analysis/warmup.h"

namespace latido::analysis {
namespace {

template <typename Combine>
void combine(StepSums& sums, const StepSums& other, Combine with) noexcept {
  sums.wall_ns = with(sums.wall_ns, other.wall_ns);
  for (std::size_t i = 0; i < model::kPhaseCount; ++i) {
    sums.phase_ns[i] = with(sums.phase_ns[i], other.phase_ns[i]);
  }
  for (std::size_t i = 0; i < model::kOtherPartCount; ++i) {
    sums.other_ns[i] = with(sums.other_ns[i], other.other_ns[i]);
  }
  sums.count = with(sums.count, other.count);
  sums.batches = with(sums.batches, other.batches);
  sums.samples = with(sums.samples, other.samples);
  sums.queue_known = with(sums.queue_known, other.queue_known);
  sums.queue_empty = with(sums.queue_empty, other.queue_empty);
}

StepSums sums_of(const FoundStep& found) noexcept {
  return {.count = 1,
          .wall_ns = found.step.wall_ns,
          .phase_ns = found.step.phase_ns,
          .other_ns = found.step.other_ns,
          .batches = found.step.batches,
          .samples = found.step.samples,
          .queue_known = found.queue_known,
          .queue_empty = found.queue_empty};
}

}  // namespace

void StepSums::add(const FoundStep& found) noexcept {
  combine(*this, sums_of(found), [](auto sum, auto value) { return sum + value; });
}

void StepSums::subtract(const FoundStep& found) noexcept { subtract(sums_of(found)); }

void StepSums::subtract(const StepSums& other) noexcept {
  combine(*this, other, [](auto sum, auto value) { return sum - value; });
}

void StepSeries::add(const FoundStep& found) {
  const std::uint64_t number = sums_.count;
  sums_.add(found);
  if (found.step.sampled()) sampled_.add(found);
  last_end_ns_ = found.step.end_ns();
  if (head_.size() < kWarmupLookAhead) head_.push_back(found);
  if (found.loader != kUnknownId) {
    const auto it =
        std::find_if(loaders_.begin(), loaders_.end(),
                     [&found](const LoaderCount& each) { return each.loader == found.loader; });
    if (it != loaders_.end()) {
      ++it->steps;
    } else if (loaders_.size() < kMaxLoaders) {
      loaders_.push_back({.loader = found.loader, .steps = 1});
    }
  }
  if (number % stride_ != 0) return;
  if (kept_.size() >= limit_) thin();
  if (number % stride_ == 0) kept_.push_back(found.step);
}

void StepSeries::set_limit(std::size_t limit) {
  limit_ = std::max<std::size_t>(limit, 1);
  while (kept_.size() > limit_) thin();
}

void StepSeries::thin() {
  std::size_t to = 0;
  for (std::size_t from = 0; from < kept_.size(); from += 2) kept_[to++] = kept_[from];
  kept_.resize(to);
  stride_ *= 2;
}

}  // namespace latido::analysis
