// What recording costs the program, estimated from counted records and the measured cost of each.
#pragma once

#include <cstdint>

namespace latido::agent {

struct RecordingCost {
  std::uint64_t records = 0;           // made by all processes of the run
  std::uint64_t function_records = 0;  // of these, begins and ends of functions
  std::int64_t agent_cpu_ns = 0;       // of this process
  std::int64_t wall_ns = 0;
  std::uint32_t cores = 1;
};

// Shares of the run's wall time, 0..1; low_ratio <= ratio <= high_ratio.
struct Overhead {
  double ratio = 0;
  // Every record a zone of C++, and the agent on cores that nobody else wants.
  double low_ratio = 0;
  // Every record a hook of Python with nothing of it in the caches, and the agent in the program's way.
  double high_ratio = 0;
};

// An upper bound where several processes record at the same time: their costs are added.
Overhead estimate_overhead(const RecordingCost& cost) noexcept;

// What making these records cost the program; `function_records` of them are begins and ends of functions.
double cost_of_records_ns(std::uint64_t records, std::uint64_t function_records) noexcept;

}  // namespace latido::agent
