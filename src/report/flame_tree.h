// FlameTree: the call paths of a run added up by function, as they are drawn (html_flame.h) and
// exported (collapsed.h, speedscope.h).
//
// Pure. Nothing here recurses, so that a path of 10,000 calls is as good as a short one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/call_tree.h"

namespace latido::report {

// Which of the sampled time counts. A main thread's wait is time that the user waits for; other
// threads mostly wait by design, and their idle time would bury everything else.
enum class CountedTime : std::uint8_t {
  kWall,  // of main threads busy and idle, of other threads busy
  kBusy,  // of every thread busy only
};

// What `time` adds; never negative.
std::int64_t counted_ns(const model::CallTime& time, CountedTime counted) noexcept;

struct FlameNode {
  std::uint32_t parent = 0;
  std::uint32_t function = 0;  // index into functions, or kRoot or kRest
  std::uint32_t line = 0;      // where most of the time passed; 0: not known
  std::int64_t self_ns = 0;
  std::int64_t total_ns = 0;  // its own and that of what it called
  // What of these a main thread waited; CountedTime::kWall only.
  std::int64_t self_idle_ns = 0;
  std::int64_t total_idle_ns = 0;
  std::int64_t before_ns = -1;  // total in another run that this one is compared with; -1: none

  bool operator==(const FlameNode&) const = default;
};

struct FlameTree {
  static constexpr std::uint32_t kRoot = 0xFFFF'FFFFU;
  // What is too small to be shown: all such functions that one node called, as one node.
  static constexpr std::uint32_t kRest = 0xFFFF'FFFEU;

  std::vector<model::CallFrame> functions;  // each once
  std::vector<FlameNode> nodes;             // the root first, others after their parents

  std::int64_t total_ns() const noexcept { return nodes.empty() ? 0 : nodes.front().total_ns; }
  bool operator==(const FlameTree&) const = default;
};

// Calls of one function from one path are one node, from whichever lines they came; the hottest of
// these lines is kept. Nodes that refer to what the tree lacks count for the node that called them.
FlameTree sum_by_function(const model::CallTree& tree, CountedTime counted);

struct FlameLimits {
  std::int64_t least_part = 20'000;  // a node under 1/least_part of the whole is not shown
  std::size_t most_nodes = 20'000;   // then the ones with the most time
};

// What can be drawn of `tree`, in the order of drawing: level by level, of one caller the callee
// with the most time first. The time of what is left out goes to a node kRest beside the callees
// that stay, last among them, so that no node's own time grows. Functions come with the most own
// time first; those that do not occur any more are left out.
FlameTree for_drawing(const FlameTree& tree, const FlameLimits& limits = {});

}  // namespace latido::report
