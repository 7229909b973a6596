#include "agent/overhead_budget.h"

#include <algorithm>

namespace latido::agent {

using capture::Reduction;

bool OverheadBudget::spend(std::int64_t now_ns, double cost_ns) noexcept {
  if (last_ns_ == 0) last_ns_ = changed_ns_ = now_ns;
  const auto passed_ns = static_cast<double>(std::max<std::int64_t>(now_ns - last_ns_, 0));
  last_ns_ = now_ns;
  spent_ns_ += cost_ns;
  purse_ns_ = std::min(purse_ns_ + passed_ns * ratio_, full_ns()) - cost_ns;
  if (purse_ns_ < 0 && reduction_ != Reduction::kStepsOnly) return change(now_ns, 1);
  // What cannot be saved any further is not owed either.
  purse_ns_ = std::max(purse_ns_, 0.0);
  const std::int64_t since_ns = now_ns - changed_ns_;
  const bool affordable = spent_ns_ < kAffordable * ratio_ * static_cast<double>(since_ns);
  if (reduction_ != Reduction::kNone && since_ns >= kRise_ns && affordable)
    return change(now_ns, -1);
  return false;
}

bool OverheadBudget::change(std::int64_t now_ns, int step) noexcept {
  reduction_ = static_cast<Reduction>(static_cast<int>(reduction_) + step);
  purse_ns_ = step > 0 ? kRefill_s * 1e9 * ratio_ : full_ns();
  changed_ns_ = now_ns;
  spent_ns_ = 0;
  return true;
}

}  // namespace latido::agent
