#include "agent/look_budget.h"

#include <algorithm>

namespace latido::agent {

void LookBudget::spend(std::int64_t cost_ns, std::int64_t passed_ns) noexcept {
  constexpr double kWeight = 0.05;  // of the newest look: some 20 count
  const auto cost = static_cast<double>(std::max<std::int64_t>(cost_ns, 0));
  const auto passed = static_cast<double>(std::max<std::int64_t>(passed_ns, 0));
  cost_ns_ = cost_ns_ == 0 ? cost : cost_ns_ + kWeight * (cost - cost_ns_);
  purse_ns_ = std::clamp(purse_ns_ + core_ratio_ * passed - cost, -kPurse_ns, kPurse_ns);
}

std::int64_t LookBudget::interval_ns() const noexcept {
  if (core_ratio_ <= 0) return static_cast<std::int64_t>(full_interval_ns_);
  const double full_hz = 1 / full_interval_ns_;
  const double lasting_hz = cost_ns_ > 0 ? std::min(core_ratio_ / cost_ns_, full_hz) : full_hz;
  // The emptier the purse, the nearer to what lasts; below zero less, so that debts are paid.
  const double left = std::clamp(purse_ns_ / kPurse_ns, -0.5, 1.0);
  const double hz =
      left >= 0 ? lasting_hz + left * (full_hz - lasting_hz) : lasting_hz * (1 + left);
  const double longest_ns = std::max(static_cast<double>(kLongest_ns), full_interval_ns_);
  return static_cast<std::int64_t>(std::clamp(1 / hz, full_interval_ns_, longest_ns));
}

}  // namespace latido::agent
