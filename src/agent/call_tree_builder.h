// CallTreeBuilder: folds sampled stacks into a model::CallTree, and tells what has changed since it was
// last asked.
//
// Used by StackSampler, under its lock. Bounded: a program that makes call paths without end gets its
// time at the deepest path that still found room, and that is counted.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "model/call_tree.h"
#include "stacks/function_table.h"
#include "stacks/sample.h"

namespace latido::agent {

class CallTreeBuilder {
 public:
  static constexpr std::size_t kMaxNodes = 200'000;

  // What the frames of one target are called here.
  class Names {
   public:
    explicit Names(const stacks::FunctionTable& functions) : functions_(functions) {}

   private:
    friend class CallTreeBuilder;
    const stacks::FunctionTable& functions_;
    std::vector<std::uint32_t> frames_;  // by FunctionId, one more than the frame; 0: not met yet
  };

  struct Whose {
    model::ProcessId process{};
    bool main_thread = false;
    bool from_first_step = false;
    bool busy = false;
  };

  // The node at the end of a stack, innermost frame first.
  std::uint32_t node_of(Names& names, std::span<const stacks::Frame> stack);
  void add(const Whose& whose, std::uint32_t node, std::int64_t time_ns);

  model::SamplingCounts& counts() noexcept { return tree_.counts; }
  const model::CallTree& tree() const noexcept { return tree_; }

  // Frames and nodes that are new since the last call, and the present value of all times that have
  // changed; `first_frame` and `first_node` say where the new ones belong.
  struct Changes {
    std::uint32_t first_frame = 0;
    std::uint32_t first_node = 0;
    model::CallTree part{};
  };
  Changes take_changes();

 private:
  struct Hash {
    std::size_t operator()(std::uint64_t key) const noexcept {
      return static_cast<std::size_t>((key ^ (key >> 29U)) * 0x9E3779B97F4A7C15U);
    }
    std::size_t operator()(const model::CallNode& node) const noexcept {
      const std::uint64_t path = std::uint64_t{node.parent} << 32U | node.frame;
      return (*this)((*this)(path) ^ node.line);
    }
  };

  std::uint32_t frame_of(Names& names, stacks::FunctionId function);

  model::CallTree tree_;
  std::unordered_map<std::string, std::uint32_t> frames_;  // by function, file and line
  std::unordered_map<model::CallNode, std::uint32_t, Hash> nodes_;
  std::unordered_map<std::uint64_t, std::uint32_t, Hash> times_;  // by node, process, thread
  std::vector<bool> changed_;                                     // by time
  std::vector<std::uint32_t> changes_;
  std::uint32_t told_frames_ = 0;
  std::uint32_t told_nodes_ = 1;  // the root is always there
};

}  // namespace latido::agent
