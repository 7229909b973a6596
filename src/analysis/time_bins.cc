#include "analysis/time_bins.h"

#include <algorithm>

namespace latido::analysis {

void TimeBins::widen() {
  const std::size_t half = (bins_.size() + 1) / 2;
  bins_.resize(2 * half);
  for (std::size_t i = 0; i < half; ++i) {
    bins_[i] = {.busy_ns = bins_[2 * i].busy_ns + bins_[2 * i + 1].busy_ns,
                .count = bins_[2 * i].count + bins_[2 * i + 1].count};
  }
  bins_.resize(half);
  width_ns_ *= 2;
}

void TimeBins::compact(std::size_t most) {
  while (bins_.size() > std::max<std::size_t>(most, 1)) widen();
  bins_.shrink_to_fit();
}

void TimeBins::add(std::int64_t begin_ns, std::int64_t end_ns) {
  if (!started_) {
    started_ = true;
    origin_ns_ = begin_ns;
  }
  constexpr auto kCount = static_cast<std::int64_t>(kBins);
  std::int64_t from = std::max<std::int64_t>(begin_ns - origin_ns_, 0);
  const std::int64_t to = std::max(end_ns - origin_ns_, from);
  while (to / width_ns_ >= kCount) widen();
  const auto last = static_cast<std::size_t>(to / width_ns_);
  if (last >= bins_.size()) bins_.resize(last + 1);
  while (from < to) {
    const std::int64_t bin = from / width_ns_;
    const std::int64_t until = std::min(to, (bin + 1) * width_ns_);
    bins_[static_cast<std::size_t>(bin)].busy_ns += until - from;
    from = until;
  }
  ++bins_[last].count;
}

TimeBins::Sum TimeBins::within(std::int64_t begin_ns, std::int64_t end_ns) const noexcept {
  Sum sum;
  for (std::size_t i = 0; i < bins_.size(); ++i) {
    const std::int64_t low = origin_ns_ + static_cast<std::int64_t>(i) * width_ns_;
    const std::int64_t overlap = std::min(low + width_ns_, end_ns) - std::max(low, begin_ns);
    if (overlap <= 0) continue;
    const double share = static_cast<double>(overlap) / static_cast<double>(width_ns_);
    sum.busy_ns += share * static_cast<double>(bins_[i].busy_ns);
    sum.count += share * static_cast<double>(bins_[i].count);
  }
  return sum;
}

}  // namespace latido::analysis
