// What recording costs the program, estimated from counted records and the measured cost of each.
#pragma once

#include <cstdint>

namespace latido::session {

struct RecordingCost {
  std::uint64_t records = 0;      // made by all processes of the run
  std::int64_t agent_cpu_ns = 0;  // of this process
  std::int64_t wall_ns = 0;
  std::uint32_t cores = 1;
};

// Share of the run's wall time, 0..1. An upper bound where several processes record at the same time.
double estimate_overhead_ratio(const RecordingCost& cost) noexcept;

// CPU time of this process so far, user and system.
std::int64_t process_cpu_ns() noexcept;

}  // namespace latido::session
