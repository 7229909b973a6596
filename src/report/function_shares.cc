#include "report/function_shares.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace latido::report {
namespace {

// Callees of each node, as the ranges first[i] to first[i + 1] of `nodes`.
struct CalleeList {
  std::vector<std::size_t> first;
  std::vector<std::uint32_t> nodes;

  explicit CalleeList(const FlameTree& tree)
      : first(tree.nodes.size() + 1, 0), nodes(tree.nodes.size()) {
    for (std::size_t i = 1; i < tree.nodes.size(); ++i) ++first[tree.nodes[i].parent + 1];
    std::partial_sum(first.begin(), first.end(), first.begin());
    std::vector<std::size_t> next = first;
    for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) nodes[next[tree.nodes[i].parent]++] = i;
  }
};

// Visits the paths depth first with a stack of its own, and knows of each function whether it is on
// the path already.
class PathWalk {
 public:
  explicit PathWalk(const FlameTree& tree)
      : tree_(tree), callees_(tree), open_(tree.functions.size(), 0) {}

  // Calls `visit(node, outermost)` for each node that has a function.
  template <typename Visit>
  void run(const Visit& visit) {
    if (tree_.nodes.empty()) return;
    enter(0, visit);
    while (!path_.empty()) {
      Step& step = path_.back();
      if (step.next == callees_.first[step.node + 1]) {
        leave();
      } else {
        enter(callees_.nodes[step.next++], visit);
      }
    }
  }

 private:
  struct Step {
    std::uint32_t node = 0;
    std::size_t next = 0;  // callee to visit
  };

  template <typename Visit>
  void enter(std::uint32_t node, const Visit& visit) {
    const std::uint32_t function = tree_.nodes[node].function;
    if (function < open_.size()) visit(tree_.nodes[node], open_[function]++ == 0);
    path_.push_back({.node = node, .next = callees_.first[node]});
  }

  void leave() {
    const std::uint32_t function = tree_.nodes[path_.back().node].function;
    if (function < open_.size()) --open_[function];
    path_.pop_back();
  }

  const FlameTree& tree_;
  CalleeList callees_;
  std::vector<std::uint32_t> open_;  // per function: how often it is on the path
  std::vector<Step> path_;
};

}  // namespace

std::vector<FunctionShare> function_shares(const FlameTree& tree, std::size_t most) {
  std::vector<FunctionShare> shares(tree.functions.size());
  std::vector<std::int64_t> largest_ns(tree.functions.size(), -1);
  for (std::uint32_t i = 0; i < shares.size(); ++i) shares[i].function = i;
  PathWalk(tree).run([&](const FlameNode& node, bool outermost) {
    FunctionShare& share = shares[node.function];
    share.self_ns += node.self_ns;
    if (outermost) share.total_ns += node.total_ns;
    if (node.self_ns <= largest_ns[node.function]) return;
    largest_ns[node.function] = node.self_ns;
    share.line = node.line;
  });
  std::erase_if(shares, [](const FunctionShare& share) { return share.total_ns <= 0; });
  std::ranges::sort(shares, {}, [](const FunctionShare& share) {
    return std::tuple(-share.self_ns, -share.total_ns, share.function);
  });
  if (shares.size() > most) shares.resize(most);
  return shares;
}

}  // namespace latido::report
