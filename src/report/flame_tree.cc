#include "report/flame_tree.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <string_view>
#include <tuple>
#include <unordered_map>

namespace latido::report {
namespace {

// Recordings may be damaged; a sum that does not fit stays at the largest number.
std::int64_t sum_of(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  return __builtin_add_overflow(a, b, &sum) ? std::numeric_limits<std::int64_t>::max() : sum;
}

std::uint64_t key_of(std::uint32_t first, std::uint32_t second) noexcept {
  return (std::uint64_t{first} << 32U) | second;
}

struct FunctionHash {
  std::size_t operator()(const model::CallFrame& frame) const noexcept {
    const std::hash<std::string_view> hash;
    return hash(frame.function) * 31 + hash(frame.file) * 7 + frame.line;
  }
};

// For each frame of `tree` the index of its function in `functions`.
std::vector<std::uint32_t> number_functions(const model::CallTree& tree,
                                            std::vector<model::CallFrame>& functions) {
  std::unordered_map<model::CallFrame, std::uint32_t, FunctionHash> known;
  std::vector<std::uint32_t> numbers;
  numbers.reserve(tree.frames.size());
  for (const model::CallFrame& frame : tree.frames) {
    const auto next = static_cast<std::uint32_t>(functions.size());
    const auto [it, is_new] = known.emplace(frame, next);
    if (is_new) functions.push_back(frame);
    numbers.push_back(it->second);
  }
  return numbers;
}

// For each node of `tree` the node of `sum` that it is added to; makes these.
std::vector<std::uint32_t> merge_nodes(const model::CallTree& tree, FlameTree& sum) {
  const std::vector<std::uint32_t> function_of = number_functions(tree, sum.functions);
  std::unordered_map<std::uint64_t, std::uint32_t> known;
  std::vector<std::uint32_t> merged(tree.nodes.size(), 0);
  sum.nodes.push_back({.function = FlameTree::kRoot});
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const model::CallNode& node = tree.nodes[i];
    const std::uint32_t parent = node.parent < i ? merged[node.parent] : 0;
    if (node.frame >= function_of.size()) {
      merged[i] = parent;
      continue;
    }
    const std::uint32_t function = function_of[node.frame];
    const auto next = static_cast<std::uint32_t>(sum.nodes.size());
    const auto [it, is_new] = known.emplace(key_of(parent, function), next);
    if (is_new) sum.nodes.push_back({.parent = parent, .function = function});
    merged[i] = it->second;
  }
  return merged;
}

// Of each merged node the line with the most time, its callees' included.
void find_hottest_lines(const model::CallTree& tree, const std::vector<std::uint32_t>& merged,
                        const std::vector<std::int64_t>& totals, FlameTree& sum) {
  std::unordered_map<std::uint64_t, std::int64_t> by_line;
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].line == 0 || tree.nodes[i].frame >= tree.frames.size()) continue;
    std::int64_t& line_ns = by_line[key_of(merged[i], tree.nodes[i].line)];
    line_ns = sum_of(line_ns, totals[i]);
  }
  std::vector<std::int64_t> most(sum.nodes.size(), -1);
  for (const auto& [key, line_ns] : by_line) {
    const auto node = static_cast<std::size_t>(key >> 32U);
    const auto line = static_cast<std::uint32_t>(key);
    // Of equal lines the first: the order of the map is not one to depend on.
    if (std::tuple(-line_ns, line) < std::tuple(-most[node], sum.nodes[node].line)) {
      most[node] = line_ns;
      sum.nodes[node].line = line;
    }
  }
}

std::vector<std::uint32_t> callee_counts(const FlameTree& tree) {
  std::vector<std::uint32_t> counts(tree.nodes.size(), 0);
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) ++counts[tree.nodes[i].parent];
  return counts;
}

// The nodes to show but the root, the ones with the most time first, and so each after its parent.
std::vector<std::uint32_t> largest(const FlameTree& tree, const FlameLimits& limits) {
  const std::int64_t part = std::max<std::int64_t>(limits.least_part, 1);
  const std::int64_t least_ns =
      std::max<std::int64_t>(tree.total_ns() / part + (tree.total_ns() % part > 0 ? 1 : 0), 1);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t i = 1; i < tree.nodes.size(); ++i) {
    if (tree.nodes[i].total_ns >= least_ns) kept.push_back(i);
  }
  std::ranges::sort(kept, {},
                    [&](std::uint32_t i) { return std::tuple(-tree.nodes[i].total_ns, i); });
  // A node whose callees are not all kept takes one more for the rest.
  std::vector<std::uint32_t> left_out = callee_counts(tree);
  std::size_t nodes = 1 + (left_out.empty() || left_out[0] == 0 ? 0U : 1U);
  for (std::size_t i = 0; i < kept.size(); ++i) {
    nodes += left_out[kept[i]] > 0 ? 2 : 1;
    if (--left_out[tree.nodes[kept[i]].parent] == 0) --nodes;
    if (nodes > limits.most_nodes) {
      kept.resize(i);
      break;
    }
  }
  return kept;
}

struct Callees {
  std::vector<std::uint32_t> first;  // of node i: nodes[first[i]] to nodes[first[i + 1]]
  std::vector<std::uint32_t> nodes;  // with the most time first
};

Callees callees_of(const FlameTree& tree, const std::vector<std::uint32_t>& kept) {
  Callees callees{.first = std::vector<std::uint32_t>(tree.nodes.size() + 1, 0),
                  .nodes = std::vector<std::uint32_t>(kept.size())};
  for (const std::uint32_t i : kept) ++callees.first[tree.nodes[i].parent + 1];
  std::partial_sum(callees.first.begin(), callees.first.end(), callees.first.begin());
  std::vector<std::uint32_t> next = callees.first;
  for (const std::uint32_t i : kept) callees.nodes[next[tree.nodes[i].parent]++] = i;
  return callees;
}

// Renumbers the functions of `drawn`, that with the most own time first.
void sort_functions(const std::vector<model::CallFrame>& functions, FlameTree& drawn) {
  std::vector<std::int64_t> self_ns(functions.size(), -1);
  for (const FlameNode& node : drawn.nodes) {
    if (node.function >= functions.size()) continue;
    self_ns[node.function] =
        sum_of(std::max<std::int64_t>(self_ns[node.function], 0), node.self_ns);
  }
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < functions.size(); ++i) {
    if (self_ns[i] >= 0) order.push_back(i);
  }
  std::ranges::sort(order, {}, [&](std::uint32_t i) { return std::tuple(-self_ns[i], i); });
  std::vector<std::uint32_t> number(functions.size(), 0);
  for (const std::uint32_t i : order) {
    number[i] = static_cast<std::uint32_t>(drawn.functions.size());
    drawn.functions.push_back(functions[i]);
  }
  for (FlameNode& node : drawn.nodes) {
    if (node.function < functions.size()) node.function = number[node.function];
  }
}

}  // namespace

std::int64_t counted_ns(const model::CallTime& time, CountedTime counted) noexcept {
  const std::int64_t busy_ns = std::max<std::int64_t>(time.busy_ns, 0);
  if (counted == CountedTime::kBusy || !time.main_thread) return busy_ns;
  return sum_of(busy_ns, std::max<std::int64_t>(time.idle_ns, 0));
}

FlameTree sum_by_function(const model::CallTree& tree, CountedTime counted) {
  FlameTree sum;
  const std::vector<std::uint32_t> merged = merge_nodes(tree, sum);
  std::vector<std::int64_t> totals(tree.nodes.size(), 0);
  for (const model::CallTime& time : tree.times) {
    if (time.node >= totals.size()) continue;
    const std::int64_t ns = counted_ns(time, counted);
    totals[time.node] = sum_of(totals[time.node], ns);
    FlameNode& node = sum.nodes[merged[time.node]];
    node.self_ns = sum_of(node.self_ns, ns);
    node.self_idle_ns =
        sum_of(node.self_idle_ns, ns - std::min(ns, counted_ns(time, CountedTime::kBusy)));
  }
  for (std::size_t i = totals.size(); i-- > 1;) {
    const std::size_t parent = tree.nodes[i].parent < i ? tree.nodes[i].parent : 0;
    totals[parent] = sum_of(totals[parent], totals[i]);
  }
  find_hottest_lines(tree, merged, totals, sum);
  for (FlameNode& node : sum.nodes) {
    node.total_ns = node.self_ns;
    node.total_idle_ns = node.self_idle_ns;
  }
  for (std::size_t i = sum.nodes.size(); i-- > 1;) {
    FlameNode& parent = sum.nodes[sum.nodes[i].parent];
    parent.total_ns = sum_of(parent.total_ns, sum.nodes[i].total_ns);
    parent.total_idle_ns = sum_of(parent.total_idle_ns, sum.nodes[i].total_idle_ns);
  }
  return sum;
}

FlameTree for_drawing(const FlameTree& tree, const FlameLimits& limits) {
  FlameTree drawn;
  if (tree.nodes.empty()) return drawn;
  const Callees callees = callees_of(tree, largest(tree, limits));
  std::vector<std::uint32_t> source{0};  // of each drawn node
  drawn.nodes.push_back(tree.nodes[0]);
  for (std::uint32_t at = 0; at < drawn.nodes.size(); ++at) {
    if (drawn.nodes[at].function == FlameTree::kRest) continue;
    std::int64_t rest_ns = drawn.nodes[at].total_ns - drawn.nodes[at].self_ns;
    std::int64_t idle_ns = drawn.nodes[at].total_idle_ns - drawn.nodes[at].self_idle_ns;
    for (std::uint32_t i = callees.first[source[at]]; i < callees.first[source[at] + 1]; ++i) {
      FlameNode node = tree.nodes[callees.nodes[i]];
      node.parent = at;
      rest_ns -= node.total_ns;
      idle_ns -= node.total_idle_ns;
      drawn.nodes.push_back(node);
      source.push_back(callees.nodes[i]);
    }
    if (rest_ns <= 0) continue;
    drawn.nodes.push_back({.parent = at,
                           .function = FlameTree::kRest,
                           .self_ns = rest_ns,
                           .total_ns = rest_ns,
                           .self_idle_ns = idle_ns,
                           .total_idle_ns = idle_ns});
    source.push_back(0);
  }
  sort_functions(tree.functions, drawn);
  return drawn;
}

}  // namespace latido::report
