#include "analysis/phase_memory.h"

#include <algorithm>
#include <cmath>

namespace latido::analysis {

void PhaseMemory::Sum::add(double more_bytes) noexcept {
  ++samples;
  bytes += more_bytes;
  peak_bytes = std::max(peak_bytes, more_bytes);
}

MemoryUse PhaseMemory::Sum::use() const noexcept {
  if (samples == 0) return {};
  return {.samples = samples,
          .mean_bytes = std::llround(bytes / static_cast<double>(samples)),
          .peak_bytes = std::llround(peak_bytes)};
}

void PhaseMemory::add_sample(std::int64_t ts_ns, double bytes) {
  // What a recording says is input: no more than any machine has.
  constexpr double kMost = 1e15;
  if (!(bytes >= 0 && bytes <= kMost)) return;
  if (!pending_.empty() && pending_.back().ts_ns > ts_ns) return;
  if (pending_.size() >= kMostPending) pending_.pop_front();
  pending_.push_back({ts_ns, bytes});
  looks_.add(ts_ns, bytes, kKeptLooks);
}

void PhaseMemory::take(std::int64_t since_ns, std::int64_t until_ns, Bucket bucket, bool in_step) {
  while (!pending_.empty() && pending_.front().ts_ns < until_ns) {
    const Pending sample = pending_.front();
    pending_.pop_front();
    // Before the thread's last event: of the time before it trained.
    Sum& sum = in_step && sample.ts_ns >= since_ns
                   ? phases_[static_cast<std::size_t>(phase_of(bucket))]
                   : outside_;
    sum.add(sample.bytes);
  }
}

MemoryFacts PhaseMemory::facts() const {
  MemoryFacts facts;
  for (std::size_t i = 0; i < phases_.size(); ++i) facts.phases[i] = phases_[i].use();
  facts.outside = outside_.use();
  return facts;
}

void PhaseMemory::fill_peaks(std::span<model::Step> steps) const {
  for (model::Step& step : steps) {
    if (const auto peak = looks_.highest(step.start_ns, step.end_ns())) {
      step.rss_peak_bytes = std::llround(*peak);
    }
  }
}

}  // namespace latido::analysis
