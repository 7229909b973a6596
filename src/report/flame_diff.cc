#include "report/flame_diff.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace latido::report {
namespace {

using analysis::FunctionChanges;

constexpr std::uint32_t kNone = 0xFFFF'FFFFU;

// What a time of the run before is for as much work as the run after did.
double scale_of(const FunctionChanges& changes) noexcept {
  if (changes.per_step) {
    return static_cast<double>(changes.after_steps) / static_cast<double>(changes.before_steps);
  }
  if (changes.before_total_ns <= 0) return 0;
  return static_cast<double>(changes.after_total_ns) / static_cast<double>(changes.before_total_ns);
}

std::int64_t scaled(std::int64_t ns, double scale) noexcept {
  constexpr double kMost_ns = 9e18;
  return static_cast<std::int64_t>(std::min(static_cast<double>(ns) * scale, kMost_ns));
}

// For each function of `after` its index in `before`, or kNone.
std::vector<std::uint32_t> match_functions(const FlameTree& before, const FlameTree& after) {
  std::map<std::pair<std::string_view, std::string_view>, std::uint32_t> known;
  for (std::uint32_t i = 0; i < before.functions.size(); ++i) {
    known.try_emplace({before.functions[i].function, before.functions[i].file}, i);
  }
  std::vector<std::uint32_t> matches;
  matches.reserve(after.functions.size());
  for (const model::CallFrame& function : after.functions) {
    const auto it = known.find({function.function, function.file});
    matches.push_back(it == known.end() ? kNone : it->second);
  }
  return matches;
}

// For each node of `after` the one of `before` with the same path, or kNone.
std::vector<std::uint32_t> match_nodes(const FlameTree& before, const FlameTree& after) {
  const std::vector<std::uint32_t> function_of = match_functions(before, after);
  const auto key = [](std::uint32_t parent, std::uint32_t function) {
    return (std::uint64_t{parent} << 32U) | function;
  };
  std::unordered_map<std::uint64_t, std::uint32_t> nodes;
  for (std::uint32_t i = 1; i < before.nodes.size(); ++i) {
    nodes.emplace(key(before.nodes[i].parent, before.nodes[i].function), i);
  }
  std::vector<std::uint32_t> matches(after.nodes.size(), kNone);
  if (!matches.empty() && !before.nodes.empty()) matches[0] = 0;
  for (std::size_t i = 1; i < after.nodes.size(); ++i) {
    const std::uint32_t parent = matches[after.nodes[i].parent];
    const std::uint32_t function = function_of[after.nodes[i].function];
    if (parent == kNone || function == kNone) continue;
    const auto it = nodes.find(key(parent, function));
    if (it != nodes.end()) matches[i] = it->second;
  }
  return matches;
}

std::vector<std::uint32_t> path_to(const FlameTree& tree, std::uint32_t node) {
  std::vector<std::uint32_t> path;
  for (; node != 0; node = tree.nodes[node].parent) path.push_back(tree.nodes[node].function);
  std::ranges::reverse(path);
  return path;
}

std::vector<GonePath> gone_paths(const FlameTree& before, const std::vector<std::uint32_t>& matches,
                                 const FunctionChanges& changes, double scale) {
  std::vector<bool> is_there(before.nodes.size(), false);
  for (const std::uint32_t match : matches) {
    if (match != kNone) is_there[match] = true;
  }
  std::vector<std::uint32_t> gone;
  for (std::uint32_t i = 1; i < before.nodes.size(); ++i) {
    const bool leaves = !is_there[i] && is_there[before.nodes[i].parent];
    const double z = changes.z_of(before.nodes[i].total_ns, 0);
    if (leaves && analysis::beyond_chance(z, before.nodes.size())) gone.push_back(i);
  }
  std::ranges::sort(gone, {},
                    [&](std::uint32_t i) { return std::tuple(-before.nodes[i].total_ns, i); });
  std::vector<GonePath> paths;
  for (const std::uint32_t i : gone) {
    paths.push_back({path_to(before, i), scaled(before.nodes[i].total_ns, scale)});
  }
  return paths;
}

}  // namespace

FlameDiff compare_flames(const analysis::RunFacts& before, const analysis::RunFacts& after,
                         const FunctionChanges& changes) {
  const auto sum_of = [&](const analysis::RunFacts& facts) {
    return sum_by_function(analysis::comparable_calls(facts, changes.of_steps), CountedTime::kWall);
  };
  FlameDiff diff{.before = sum_of(before), .after = sum_of(after), .gone = {}};
  const double scale = scale_of(changes);
  const std::vector<std::uint32_t> matches = match_nodes(diff.before, diff.after);
  for (std::size_t i = 0; i < matches.size(); ++i) {
    diff.after.nodes[i].before_ns =
        matches[i] == kNone ? 0 : scaled(diff.before.nodes[matches[i]].total_ns, scale);
  }
  diff.gone = gone_paths(diff.before, matches, changes, scale);
  return diff;
}

int change_level(const FlameNode& node, const FunctionChanges& changes,
                 std::size_t tested) noexcept {
  const double scale = scale_of(changes);
  if (node.before_ns < 0 || !(scale > 0)) return 0;
  const auto before_ns =
      static_cast<std::int64_t>(std::llround(static_cast<double>(node.before_ns) / scale));
  const double z = changes.z_of(before_ns, node.total_ns);
  if (!analysis::beyond_chance(z, tested)) return 0;
  const double more = static_cast<double>(std::max(node.before_ns, node.total_ns));
  const double less = static_cast<double>(std::min(node.before_ns, node.total_ns));
  const double kept = more > 0 ? less / more : 1;
  const int level = kept > 0.75 ? 1 : kept > 0.5 ? 2 : 3;
  return z > 0 ? level : -level;
}

}  // namespace latido::report
