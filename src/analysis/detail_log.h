// DetailLog: how much detail a process recorded at which time, as it said itself.
//
// Filled by ThreadAnalysis in time order; bounded: of more changes than kMost the last ones are not kept.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/run.h"

namespace latido::analysis {

class DetailLog {
 public:
  static constexpr std::size_t kMost = 65'536;  // 18 hours of turns

  // A number that is no model::Reduction is ignored.
  void add(std::int64_t ts_ns, std::uint64_t number) {
    if (number > static_cast<std::uint64_t>(model::Reduction::kStepsOnly)) return;
    if (changes_.size() >= kMost) return;
    changes_.push_back({.ts_ns = ts_ns, .reduction = static_cast<model::Reduction>(number)});
  }

  // What was in force just before `ts_ns`.
  model::Reduction at(std::int64_t ts_ns) const noexcept {
    std::size_t low = 0;
    for (std::size_t high = changes_.size(); low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (changes_[middle].ts_ns < ts_ns) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low == 0 ? model::Reduction::kNone : changes_[low - 1].reduction;
  }

 private:
  std::vector<model::DetailChange> changes_;
};

}  // namespace latido::analysis
