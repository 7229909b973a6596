#include "agent/recording_cost.h"

#include <algorithm>

namespace latido::agent {
namespace {

// Nanoseconds a record, from docs/benchmarks.md. A C++ zone is two records; a hooked training step makes
// about 19 at 12 to 14 us, measured in the caches as a small step leaves them; a large one leaves less.
constexpr double kZoneRecord_ns = 12;
constexpr double kHookRecord_ns = 750;
constexpr double kColdHookRecord_ns = 1200;
// In a tight loop of calls 16 ns by sys.monitoring and 48 by a profile function (docs/benchmarks.md);
// between calls that do something the recorder's code and memory are out of the caches.
constexpr double kFunctionRecord_ns = 60;
constexpr double kDearFunctionRecord_ns = 135;

double share(double cost_ns, std::int64_t wall_ns) noexcept {
  return wall_ns <= 0 ? 0 : std::min(1.0, cost_ns / static_cast<double>(wall_ns));
}

}  // namespace

double cost_of_records_ns(std::uint64_t records, std::uint64_t function_records) noexcept {
  const std::uint64_t of_functions = std::min(function_records, records);
  return static_cast<double>(records - of_functions) * kHookRecord_ns +
         static_cast<double>(of_functions) * kFunctionRecord_ns;
}

Overhead estimate_overhead(const RecordingCost& cost) noexcept {
  const std::uint64_t of_functions = std::min(cost.function_records, cost.records);
  const auto functions = static_cast<double>(of_functions);
  const auto records = static_cast<double>(cost.records - of_functions);
  const auto agent_ns = static_cast<double>(cost.agent_cpu_ns);
  // The agent competes with the program for the machine's cores; when all are busy its share is lost.
  const double agent_share_ns = agent_ns / static_cast<double>(std::max(cost.cores, 1U));
  const double record_ns = cost_of_records_ns(cost.records, cost.function_records);
  const double least_ns = (records + functions) * kZoneRecord_ns;
  const double most_ns = records * kColdHookRecord_ns + functions * kDearFunctionRecord_ns;
  return {.ratio = share(agent_share_ns + record_ns, cost.wall_ns),
          .low_ratio = share(least_ns, cost.wall_ns),
          .high_ratio = share(agent_ns + most_ns, cost.wall_ns)};
}

}  // namespace latido::agent
