#include "session/overhead.h"

#include <algorithm>

namespace latido::session {
namespace {

// Nanoseconds a record, from docs/benchmarks.md. A C++ zone is two records; a hooked training step makes
// about 19 at 14 us, measured in the caches as a small step leaves them; a large one leaves less.
constexpr double kZoneRecord_ns = 12;
constexpr double kHookRecord_ns = 750;
constexpr double kColdHookRecord_ns = 1200;

double share(double cost_ns, std::int64_t wall_ns) noexcept {
  return wall_ns <= 0 ? 0 : std::min(1.0, cost_ns / static_cast<double>(wall_ns));
}

}  // namespace

Overhead estimate_overhead(const RecordingCost& cost) noexcept {
  const auto records = static_cast<double>(cost.records);
  const auto agent_ns = static_cast<double>(cost.agent_cpu_ns);
  // The agent competes with the program for the machine's cores; when all are busy its share is lost.
  const double agent_share_ns = agent_ns / static_cast<double>(std::max(cost.cores, 1U));
  return {.ratio = share(agent_share_ns + records * kHookRecord_ns, cost.wall_ns),
          .low_ratio = share(records * kZoneRecord_ns, cost.wall_ns),
          .high_ratio = share(agent_ns + records * kColdHookRecord_ns, cost.wall_ns)};
}

}  // namespace latido::session
