// CallTree: what the sampled stacks of a run add up to: each call path with the time spent at its end.
//
// Grows while the run lives; ids are indices and stay valid. A stack is a path from the root to a node;
// nodes come after their parents. Times are those between samples, so that a late sample counts for more.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/ids.h"

namespace latido::model {

struct CallFrame {
  std::string function;  // qualified name where the interpreter knows it
  std::string file;
  std::uint32_t line = 0;  // where the function begins; 0: not known

  bool operator==(const CallFrame&) const = default;
};

struct CallNode {
  std::uint32_t parent = 0;
  std::uint32_t frame = 0;
  std::uint32_t line = 0;  // that was executing, or from which the next function was called

  bool operator==(const CallNode&) const = default;
};

// Of one process's threads at the end of one path, not of what it calls.
struct CallTime {
  ProcessId process{};
  std::uint32_t node = 0;
  bool main_thread = false;
  bool from_first_step = false;  // since the run's first step was over; its start-up else
  std::int64_t busy_ns = 0;      // on a CPU, or about to be
  std::int64_t idle_ns = 0;      // waited

  bool operator==(const CallTime&) const = default;
};

struct SamplingCounts {
  std::uint64_t samples = 0;          // looks at a process
  std::uint64_t stacks = 0;           // threads seen in them
  std::uint64_t invalid = 0;          // of these, changed while they were read: not counted as time
  std::uint64_t truncated = 0;        // of these, deeper than is kept
  std::uint64_t late = 0;             // looks that came more than an interval late
  std::uint64_t from_first_step = 0;  // of `samples`, those since the run's first step was over

  bool operator==(const SamplingCounts&) const = default;
};

struct CallTree {
  static constexpr std::uint32_t kRoot = 0;

  std::vector<CallFrame> frames;
  std::vector<CallNode> nodes{CallNode{}};  // nodes[kRoot] has no frame
  std::vector<CallTime> times;
  SamplingCounts counts;

  bool empty() const noexcept { return times.empty(); }
  bool operator==(const CallTree&) const = default;
};

}  // namespace latido::model
