#include "analysis/sampled_functions.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "analysis/counted_calls.h"
#include "analysis/sampled_lines.h"
#include "analysis/sampled_sums.h"
#include "analysis/start_up_calls.h"

namespace latido::analysis {
namespace {

constexpr std::size_t kMostFunctions = 200;

using Key = std::tuple<std::string, std::string, std::uint32_t>;

std::vector<SampledSum> sum_by_frame(const model::CallTree& tree,
                                     const std::set<model::ProcessId>& of) {
  std::vector<std::uint32_t> frame_of;
  frame_of.reserve(tree.nodes.size());
  for (const model::CallNode& node : tree.nodes) frame_of.push_back(node.frame);
  return sum_paths(tree, of, frame_of, tree.frames.size());
}

void merge(std::vector<FunctionTime>& functions, const model::CallTree& tree,
           const std::set<model::ProcessId>& of) {
  const std::vector<SampledSum> sums = sum_by_frame(tree, of);
  if (std::ranges::all_of(sums, [](const SampledSum& sum) { return sum.total_ns == 0; })) return;
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

// Of the main thread of one process.
std::int64_t sampled_ns(const model::CallTree& calls, model::ProcessId process) {
  std::int64_t sum_ns = 0;
  for (const model::CallTime& time : calls.times) {
    if (time.process == process && time.main_thread) sum_ns += counted_ns(time);
  }
  return sum_ns;
}

}  // namespace

void add_sampled_functions(RunFacts& facts) {
  if (facts.calls.empty()) return;
  const model::CallTree whole = counted_calls(facts);
  const model::CallTree steps = calls_of_steps(whole);
  for (RankFacts& rank : facts.ranks) {
    const bool of_steps = rank.step_source != StepSource::kNone && has_calls_of_steps(whole);
    const model::CallTree& calls = of_steps ? steps : whole;
    if (of_steps) rank.sampled_steps_ns = sampled_ns(steps, rank.process);
    std::set<model::ProcessId> own{rank.process};
    std::set<model::ProcessId> workers;
    for (const WorkerFacts& worker : rank.workers) workers.insert(worker.process);
    // Without steps the one rank stands for all processes.
    if (rank.step_source == StepSource::kNone) {
      for (const model::CallTime& time : calls.times) own.insert(time.process);
    }
    merge(rank.functions, calls, own);
    rank.lines = sampled_lines(calls, own);
    if (workers.empty()) continue;
    merge(rank.worker_functions, calls, workers);
    rank.worker_lines = sampled_lines(calls, workers);
  }
}

}  // namespace latido::analysis
