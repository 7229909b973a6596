#include "analysis/sampled_lines.h"

#include <gtest/gtest.h>

#include "analysis/sampled_functions.h"

namespace latido::analysis {
namespace {

constexpr model::ProcessId kTrainer{0};
constexpr model::ProcessId kWorker{1};

// main:2 → load:6, main:2 → load:7, main:3 → main:2 (recursion), main: a line that is not known.
model::CallTree sample_tree() {
  model::CallTree tree;
  tree.frames = {{"main", "a.py", 1}, {"load", "b.py", 5}};
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 2});
  tree.nodes.push_back({.parent = 1, .frame = 1, .line = 6});
  tree.nodes.push_back({.parent = 1, .frame = 1, .line = 7});
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 3});
  tree.nodes.push_back({.parent = 4, .frame = 0, .line = 3});
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 0});
  return tree;
}

TEST(SampledLines, HaveOwnAndTotalTime) {
  model::CallTree tree = sample_tree();
  tree.times = {{.process = kTrainer, .node = 2, .main_thread = true, .busy_ns = 30},
                {.process = kTrainer, .node = 3, .main_thread = true, .busy_ns = 5, .idle_ns = 65},
                {.process = kTrainer, .node = 5, .main_thread = true, .busy_ns = 40},
                {.process = kTrainer, .node = 6, .main_thread = true, .busy_ns = 99},
                {.process = kWorker, .node = 3, .main_thread = true, .busy_ns = 1'000}};
  const auto lines = sampled_lines(tree, {kTrainer});
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0].file, "b.py");
  EXPECT_EQ(lines[0].line, 7U);
  EXPECT_EQ(lines[0].function, "load");
  EXPECT_EQ(lines[0].self_ns, 70);
  EXPECT_EQ(lines[1].line, 3U);
  EXPECT_EQ(lines[1].self_ns, 40);
  EXPECT_EQ(lines[1].total_ns, 40) << "a recursion counts once";
  EXPECT_EQ(lines[3].line, 2U);
  EXPECT_EQ(lines[3].self_ns, 0);
  EXPECT_EQ(lines[3].total_ns, 100);
  EXPECT_TRUE(lines[0].source.empty());
}

TEST(SampledLines, AreFilledForEachRankAndItsWorkers) {
  RunFacts facts;
  facts.calls = sample_tree();
  facts.processes.resize(2);
  facts.processes[1].role = model::ProcessRole::kWorker;
  facts.calls.times = {
      {.process = kTrainer, .node = 2, .main_thread = true, .idle_ns = 30},
      {.process = kWorker, .node = 3, .main_thread = true, .busy_ns = 20, .idle_ns = 900}};
  RankFacts& rank = facts.ranks.emplace_back();
  rank.process = kTrainer;
  rank.step_source = StepSource::kOptimizer;
  rank.workers.emplace_back().process = kWorker;
  add_sampled_functions(facts);
  ASSERT_EQ(facts.ranks[0].lines.size(), 2U);
  EXPECT_EQ(facts.ranks[0].lines[0].line, 6U);
  ASSERT_EQ(facts.ranks[0].worker_lines.size(), 2U);
  EXPECT_EQ(facts.ranks[0].worker_lines[0].self_ns, 20) << "a worker waits for work";
}

TEST(SampledLines, KeepsTheLargest) {
  model::CallTree tree;
  tree.frames = {{"main", "a.py", 1}};
  for (std::uint32_t i = 1; i <= 3 * kMostLines; ++i) {
    tree.nodes.push_back({.parent = 0, .frame = 0, .line = i});
    tree.times.push_back({.process = kTrainer, .node = i, .main_thread = true, .busy_ns = i});
  }
  const auto lines = sampled_lines(tree, {kTrainer});
  ASSERT_EQ(lines.size(), kMostLines);
  EXPECT_EQ(lines[0].line, 3 * kMostLines);
}

}  // namespace
}  // namespace latido::analysis
