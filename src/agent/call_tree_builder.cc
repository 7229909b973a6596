#include "agent/call_tree_builder.h"

#include <algorithm>

#include "base/utf8.h"

namespace latido::agent {
namespace {

constexpr std::size_t kMaxNameBytes = 2048;
constexpr std::size_t kMaxFileBytes = 1024;

std::uint64_t key_of(std::uint32_t high, std::uint32_t low) noexcept {
  return std::uint64_t{high} << 32U | low;
}

}  // namespace

std::uint32_t CallTreeBuilder::frame_of(Names& names, stacks::FunctionId function) {
  const auto id = static_cast<std::size_t>(function);
  if (id >= names.frames_.size()) names.frames_.resize(id + 1, 0);
  if (names.frames_[id] != 0) return names.frames_[id] - 1;
  const stacks::Function& known = names.functions_[function];
  model::CallFrame frame;
  frame.function = utf8_truncate(known.name, kMaxNameBytes);
  frame.file = utf8_truncate(known.file, kMaxFileBytes);
  frame.line = known.first_line > 0 ? static_cast<std::uint32_t>(known.first_line) : 0;
  const std::string key = frame.function + '\0' + frame.file + '\0' + std::to_string(frame.line);
  const auto [it, added] =
      frames_.try_emplace(key, static_cast<std::uint32_t>(tree_.frames.size()));
  if (added) tree_.frames.push_back(std::move(frame));
  names.frames_[id] = it->second + 1;
  return it->second;
}

std::uint32_t CallTreeBuilder::node_of(Names& names, std::span<const stacks::Frame> stack) {
  std::uint32_t node = model::CallTree::kRoot;
  for (auto it = stack.rbegin(); it != stack.rend(); ++it) {
    const model::CallNode next{.parent = node,
                               .frame = frame_of(names, it->function),
                               .line = it->line > 0 ? static_cast<std::uint32_t>(it->line) : 0};
    if (const auto known = nodes_.find(next); known != nodes_.end()) {
      node = known->second;
      continue;
    }
    if (tree_.nodes.size() >= kMaxNodes) {
      ++tree_.counts.truncated;
      return node;
    }
    node = static_cast<std::uint32_t>(tree_.nodes.size());
    tree_.nodes.push_back(next);
    nodes_.emplace(next, node);
  }
  return node;
}

void CallTreeBuilder::add(const Whose& whose, std::uint32_t node, std::int64_t time_ns) {
  const auto process = static_cast<std::uint32_t>(model::index_of(whose.process));
  const std::uint64_t key = key_of(
      node, process << 2U | (whose.from_first_step ? 2U : 0U) | (whose.main_thread ? 1U : 0U));
  const auto [it, added] = times_.try_emplace(key, static_cast<std::uint32_t>(tree_.times.size()));
  if (added) {
    tree_.times.push_back({.process = whose.process,
                           .node = node,
                           .main_thread = whose.main_thread,
                           .from_first_step = whose.from_first_step});
    changed_.push_back(false);
  }
  model::CallTime& time = tree_.times[it->second];
  (whose.busy ? time.busy_ns : time.idle_ns) += time_ns;
  if (changed_[it->second]) return;
  changed_[it->second] = true;
  changes_.push_back(it->second);
}

CallTreeBuilder::Changes CallTreeBuilder::take_changes() {
  Changes changes{.first_frame = told_frames_, .first_node = told_nodes_};
  changes.part.frames.assign(tree_.frames.begin() + told_frames_, tree_.frames.end());
  changes.part.nodes.assign(tree_.nodes.begin() + told_nodes_, tree_.nodes.end());
  for (const std::uint32_t time : changes_) {
    changes.part.times.push_back(tree_.times[time]);
    changed_[time] = false;
  }
  changes.part.counts = tree_.counts;
  changes_.clear();
  told_frames_ = static_cast<std::uint32_t>(tree_.frames.size());
  told_nodes_ = static_cast<std::uint32_t>(tree_.nodes.size());
  return changes;
}

}  // namespace latido::agent
