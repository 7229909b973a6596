#include "analysis/start_up_calls.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace latido::analysis {
namespace {

// Nodes of start-up paths once more, below a node of their own. 0: not made yet.
class StartUpPaths {
 public:
  StartUpPaths(model::CallTree& calls, const std::string& name) : calls_(calls) {
    copies_.assign(calls.nodes.size(), 0);
    const auto frame = static_cast<std::uint32_t>(calls.frames.size());
    calls_.frames.push_back({.function = name, .file = {}});
    copies_[model::CallTree::kRoot] = static_cast<std::uint32_t>(calls.nodes.size());
    calls_.nodes.push_back({.parent = model::CallTree::kRoot, .frame = frame});
  }

  std::uint32_t copy_of(std::uint32_t node) {
    // Outwards to what is there, then inwards: a path of 1,024 calls is no reason to recurse.
    path_.clear();
    for (; copies_[node] == 0; node = calls_.nodes[node].parent) path_.push_back(node);
    std::uint32_t copy = copies_[node];
    while (!path_.empty()) {
      model::CallNode next = calls_.nodes[path_.back()];
      next.parent = copy;
      copy = static_cast<std::uint32_t>(calls_.nodes.size());
      calls_.nodes.push_back(next);
      copies_[path_.back()] = copy;
      path_.pop_back();
    }
    return copy;
  }

 private:
  model::CallTree& calls_;
  std::vector<std::uint32_t> copies_;  // by node
  std::vector<std::uint32_t> path_;
};

}  // namespace

bool has_calls_of_steps(const model::CallTree& calls) noexcept {
  return std::ranges::any_of(calls.times, &model::CallTime::from_first_step);
}

model::CallTree calls_of_steps(model::CallTree calls) {
  if (!has_calls_of_steps(calls)) return calls;
  std::erase_if(calls.times, [](const model::CallTime& time) { return !time.from_first_step; });
  calls.counts.samples = calls.counts.from_first_step;
  return calls;
}

model::CallTree with_start_up_apart(const model::CallTree& calls, const std::string& name) {
  model::CallTree apart = calls;
  if (!has_calls_of_steps(calls)) return apart;
  StartUpPaths paths(apart, name);
  for (model::CallTime& time : apart.times) {
    if (!time.from_first_step && time.node < calls.nodes.size())
      time.node = paths.copy_of(time.node);
  }
  return apart;
}

}  // namespace latido::analysis
