// Call trees for the tests of this module, built path by path. Tests only.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/call_tree.h"

namespace latido::report::fixtures {

struct CallTreeBuilder {
  model::CallTree tree;

  // A path is "function" or "function@line" from the outermost on; all are in train.py.
  CallTreeBuilder& busy(const std::vector<std::string>& path, std::int64_t ns) {
    tree.times.push_back({.node = node_of(path), .main_thread = true, .busy_ns = ns});
    return *this;
  }
  CallTreeBuilder& idle(const std::vector<std::string>& path, std::int64_t ns, bool main_thread) {
    tree.times.push_back({.node = node_of(path), .main_thread = main_thread, .idle_ns = ns});
    return *this;
  }

 private:
  std::uint32_t node_of(const std::vector<std::string>& path) {
    std::uint32_t node = model::CallTree::kRoot;
    for (const std::string& step : path) {
      const std::size_t at = step.find('@');
      const auto line = at == std::string::npos ? 1UL : std::stoul(step.substr(at + 1));
      const model::CallNode next{.parent = node,
                                 .frame = frame_of(step.substr(0, at)),
                                 .line = static_cast<std::uint32_t>(line)};
      node = index_of(tree.nodes, next, 1);
    }
    return node;
  }
  std::uint32_t frame_of(const std::string& function) {
    return index_of(tree.frames, model::CallFrame{function, "train.py", 1}, 0);
  }
  template <typename Value>
  static std::uint32_t index_of(std::vector<Value>& all, const Value& value, std::uint32_t from) {
    for (std::uint32_t i = from; i < all.size(); ++i) {
      if (all[i] == value) return i;
    }
    all.push_back(value);
    return static_cast<std::uint32_t>(all.size() - 1);
  }
};

// One function that calls itself `depth` times; the innermost call was seen.
inline model::CallTree deep_tree(std::uint32_t depth) {
  model::CallTree tree;
  tree.frames.push_back({"again", "deep.py", 4});
  for (std::uint32_t i = 0; i < depth; ++i) tree.nodes.push_back({.parent = i, .line = 5});
  tree.times.push_back({.node = depth, .main_thread = true, .busy_ns = 1'000'000'000});
  return tree;
}

}  // namespace latido::report::fixtures
