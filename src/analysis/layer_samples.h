// LayerSamples: when the steps of a thread were looked at layer by layer, which makes them slower.
//
// Kept by ThreadAnalysis, which learns of a step some time after it has ended: so the last few are
// remembered. Bounded.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>

#include "model/step.h"

namespace latido::analysis {

class LayerSamples {
 public:
  static constexpr std::size_t kMost = 256;

  // A sampled step begins, or has ended: number 0.
  void add(std::uint64_t number, std::int64_t ts_ns) {
    if (!times_.empty() && times_.back().end_ns == kOpen) times_.back().end_ns = ts_ns;
    if (number == 0) return;
    if (times_.size() >= kMost) times_.pop_front();
    times_.push_back({.begin_ns = ts_ns, .end_ns = kOpen, .counted = number == kCounted});
  }

  // Sets the step's flags when most of it was sampled. Borders differ by what lies between two hooks.
  void mark(model::Step& step) const noexcept {
    for (const Time& time : times_) {
      const std::int64_t from_ns = std::max(time.begin_ns, step.start_ns);
      const std::int64_t until_ns = std::min(time.end_ns, step.end_ns());
      if (2 * (until_ns - from_ns) <= step.wall_ns) continue;
      step.flags |= model::StepFlags::kSampled;
      if (time.counted) step.flags |= model::StepFlags::kCounted;
    }
  }

 private:
  static constexpr std::uint64_t kCounted = 2;  // LayerSampling::kCounted
  static constexpr std::int64_t kOpen = std::numeric_limits<std::int64_t>::max();

  struct Time {
    std::int64_t begin_ns = 0;
    std::int64_t end_ns = kOpen;
    bool counted = false;
  };

  std::deque<Time> times_;
};

}  // namespace latido::analysis
