// OverheadBudget: how much detail must be given up so that recording stays within its budget.
//
// A purse that fills at the budget's rate and pays for what recording costs: a burst, such as a program's
// start, is paid from what was saved, a lasting excess empties it. Then detail falls by a level at once;
// it rises by one after kRise_ns at the earliest, and only if the level above would have been affordable:
// a program that goes to and fro would make its own measurements differ. Pure; asked by Agent each second.
#pragma once

#include <cstdint>

#include "capture/ring_format.h"

namespace latido::agent {

class OverheadBudget {
 public:
  static constexpr std::int64_t kRise_ns = 600'000'000'000;  // design: at most once in 10 minutes
  static constexpr double kPurse_s = 10;  // of the budget: 0.1 s of work at a budget of 1 %
  static constexpr double kRefill_s =
      2;  // what is in the purse after a fall: time to see its effect
  // Where this little of the budget was spent, on average since the last change, more detail is tried.
  static constexpr double kAffordable = 0.3;

  // `ratio`: of the wall time that recording may take, above 0.
  explicit OverheadBudget(double ratio) noexcept : ratio_(ratio), purse_ns_(full_ns()) {}

  // `cost_ns`: what recording cost since the last call. Returns true when reduction() has changed.
  bool spend(std::int64_t now_ns, double cost_ns) noexcept;

  capture::Reduction reduction() const noexcept { return reduction_; }

 private:
  double full_ns() const noexcept { return kPurse_s * 1e9 * ratio_; }
  bool change(std::int64_t now_ns, int step) noexcept;

  double ratio_;
  double purse_ns_;
  capture::Reduction reduction_ = capture::Reduction::kNone;
  std::int64_t last_ns_ = 0;  // 0: not asked yet
  std::int64_t changed_ns_ = 0;
  double spent_ns_ = 0;  // since then
};

}  // namespace latido::agent
