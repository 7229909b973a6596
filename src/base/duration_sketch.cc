#include "base/duration_sketch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace latido {
namespace {

constexpr double kGrowth =
    (1 + DurationSketch::kRelativeError) / (1 - DurationSketch::kRelativeError);
constexpr double kLongest_ns = 1e13;

std::size_t bucket_of(std::int64_t duration_ns) noexcept {
  static const double scale = 1 / std::log(kGrowth);
  const double clamped = std::clamp(static_cast<double>(duration_ns), 1.0, kLongest_ns);
  return static_cast<std::size_t>(std::ceil(std::log(clamped) * scale));
}

// The value that is off by kRelativeError at most from all of its bucket.
std::int64_t middle_of(std::size_t bucket) noexcept {
  return std::llround(2 * std::pow(kGrowth, static_cast<double>(bucket)) / (kGrowth + 1));
}

void raise(std::uint32_t& count, std::uint32_t by) noexcept {
  count = by > std::numeric_limits<std::uint32_t>::max() - count
              ? std::numeric_limits<std::uint32_t>::max()
              : count + by;
}

}  // namespace

void DurationSketch::grow_to_hold(std::size_t bucket) {
  if (counts_.empty()) first_ = bucket;
  if (bucket < first_) {
    counts_.insert(counts_.begin(), first_ - bucket, 0);
    first_ = bucket;
  }
  if (bucket - first_ >= counts_.size()) counts_.resize(bucket - first_ + 1);
}

void DurationSketch::add(std::int64_t duration_ns) {
  const std::size_t bucket = bucket_of(duration_ns);
  grow_to_hold(bucket);
  raise(counts_[bucket - first_], 1);
  ++count_;
}

void DurationSketch::add(const DurationSketch& other) {
  if (other.counts_.empty()) return;
  grow_to_hold(other.first_);
  grow_to_hold(other.first_ + other.counts_.size() - 1);
  for (std::size_t i = 0; i < other.counts_.size(); ++i) {
    raise(counts_[other.first_ + i - first_], other.counts_[i]);
  }
  count_ += other.count_;
}

std::int64_t DurationSketch::quantile_ns(double q) const noexcept {
  std::uint64_t total = 0;
  for (const std::uint32_t count : counts_) total += count;
  if (total == 0) return 0;
  const auto wanted =
      static_cast<std::uint64_t>(std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(total)));
  std::uint64_t seen = 0;
  for (std::size_t i = 0; i < counts_.size(); ++i) {
    seen += counts_[i];
    if (seen >= wanted && seen > 0) return middle_of(first_ + i);
  }
  return middle_of(first_ + counts_.size() - 1);
}

}  // namespace latido
