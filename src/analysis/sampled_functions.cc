#include "analysis/sampled_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

namespace latido::analysis {
namespace {

constexpr std::size_t kMostFunctions = 200;

using Key = std::tuple<std::string, std::string, std::uint32_t>;

struct Sampled {
  std::int64_t self_ns = 0;
  std::int64_t total_ns = 0;
};

std::int64_t counted_ns(const model::CallTime& time) noexcept {
  return time.main_thread ? time.busy_ns + time.idle_ns : time.busy_ns;
}

// By frame of the tree. A function that is on a path twice counts once.
std::vector<Sampled> sum_up(const model::CallTree& tree, const std::set<model::ProcessId>& of) {
  std::vector<Sampled> sums(tree.frames.size());
  std::vector<std::uint32_t> seen_in(tree.frames.size(), 0);  // time's number + 1
  for (std::size_t i = 0; i < tree.times.size(); ++i) {
    const model::CallTime& time = tree.times[i];
    const std::int64_t ns = counted_ns(time);
    if (ns == 0 || !of.contains(time.process) || time.node == model::CallTree::kRoot) continue;
    sums[tree.nodes[time.node].frame].self_ns += ns;
    for (std::uint32_t node = time.node; node != model::CallTree::kRoot;
         node = tree.nodes[node].parent) {
      const std::uint32_t frame = tree.nodes[node].frame;
      if (seen_in[frame] == i + 1) continue;
      seen_in[frame] = static_cast<std::uint32_t>(i + 1);
      sums[frame].total_ns += ns;
    }
  }
  return sums;
}

void merge(std::vector<FunctionTime>& functions, const model::CallTree& tree,
           const std::set<model::ProcessId>& of) {
  const std::vector<Sampled> sums = sum_up(tree, of);
  if (std::ranges::all_of(sums, [](const Sampled& sum) { return sum.total_ns == 0; })) return;
  std::map<Key, std::size_t> known;
  for (std::size_t i = 0; i < functions.size(); ++i) {
    known.try_emplace(Key(functions[i].name, functions[i].file, functions[i].line), i);
    functions[i].sampled_self_ns = 0;
    functions[i].sampled_total_ns = 0;
  }
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sums[i].total_ns == 0) continue;
    const model::CallFrame& frame = tree.frames[i];
    const auto [it, added] =
        known.try_emplace(Key(frame.function, frame.file, frame.line), functions.size());
    if (added) {
      functions.push_back({.name = frame.function, .file = frame.file, .line = frame.line});
    }
    functions[it->second].sampled_self_ns = sums[i].self_ns;
    functions[it->second].sampled_total_ns = sums[i].total_ns;
  }
  std::ranges::stable_sort(functions, [](const FunctionTime& a, const FunctionTime& b) {
    // Where samples see no difference, recorded calls do.
    if (a.own_ns() != b.own_ns()) return a.own_ns() > b.own_ns();
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.name < b.name;
  });
  if (functions.size() > kMostFunctions) functions.resize(kMostFunctions);
}

}  // namespace

void add_sampled_functions(RunFacts& facts) {
  if (facts.calls.empty()) return;
  for (RankFacts& rank : facts.ranks) {
    std::set<model::ProcessId> own{rank.process};
    std::set<model::ProcessId> workers;
    for (const WorkerFacts& worker : rank.workers) workers.insert(worker.process);
    // Without steps the one rank stands for all processes.
    if (rank.step_source == StepSource::kNone) {
      for (const model::CallTime& time : facts.calls.times) own.insert(time.process);
    }
    merge(rank.functions, facts.calls, own);
    if (!workers.empty()) merge(rank.worker_functions, facts.calls, workers);
  }
}

}  // namespace latido::analysis
