// LookBudget: how often the stacks may be looked at so that it costs no more than a share of a core.
//
// What a look costs hangs on the machine and on the program, 30 to 300 µs: caches are cold, and paths that
// were not seen before have names to be read. A purse pays for a program's start at the full rate; when it
// empties, the rate falls to what the income pays for. Used by StackSampler, on its thread.
#pragma once

#include <cstdint>

namespace latido::agent {

class LookBudget {
 public:
  static constexpr double kPurse_ns = 100'000'000;  // of CPU time
  static constexpr std::int64_t kLongest_ns = 1'000'000'000;

  // `core_ratio`: of one core, in the long run; 0: whatever it costs.
  LookBudget(double core_ratio, std::int64_t full_interval_ns) noexcept
      : core_ratio_(core_ratio), full_interval_ns_(static_cast<double>(full_interval_ns)) {}

  // A look took so much CPU time, so long after the one before.
  void spend(std::int64_t cost_ns, std::int64_t passed_ns) noexcept;

  // Until the next look: the full interval, up to kLongest_ns.
  std::int64_t interval_ns() const noexcept;

 private:
  double core_ratio_;
  double full_interval_ns_;
  double purse_ns_ = kPurse_ns;
  double cost_ns_ = 0;  // of a look, lately
};

}  // namespace latido::agent
