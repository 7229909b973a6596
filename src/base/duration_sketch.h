// DurationSketch: how durations are distributed, in bounded memory, with quantiles to 5 %.
//
// Buckets grow by a constant factor, so that the error is relative (DDSketch: Masson, Rim, Lee, VLDB
// 2019). 1 ns to 3 hours; what lies outside counts as the end of that range. Sketches of one kind add
// up exactly. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace latido {

class DurationSketch {
 public:
  static constexpr double kRelativeError = 0.05;

  void add(std::int64_t duration_ns);
  void add(const DurationSketch& other);

  std::uint64_t count() const noexcept { return count_; }
  // `q` of 0 to 1. 0 when nothing was added.
  std::int64_t quantile_ns(double q) const noexcept;

 private:
  void grow_to_hold(std::size_t bucket);

  std::uint64_t count_ = 0;
  std::size_t first_ = 0;  // bucket of counts_[0]
  std::vector<std::uint32_t> counts_;
};

}  // namespace latido
