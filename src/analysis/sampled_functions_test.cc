#include "analysis/sampled_functions.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace latido::analysis {
namespace {

constexpr model::ProcessId kTrainer{0};
constexpr model::ProcessId kWorker{1};

// main → load → main (recursion), and main → tiny.
model::CallTree sample_tree() {
  model::CallTree tree;
  tree.frames = {{"main", "a.py", 1}, {"load", "a.py", 5}, {"tiny", "a.py", 9}};
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 2});
  tree.nodes.push_back({.parent = 1, .frame = 1, .line = 6});
  tree.nodes.push_back({.parent = 2, .frame = 0, .line = 3});
  tree.nodes.push_back({.parent = 1, .frame = 2, .line = 9});
  return tree;
}

RunFacts facts_of(model::CallTree tree) {
  RunFacts facts;
  facts.calls = std::move(tree);
  RankFacts& rank = facts.ranks.emplace_back();
  rank.process = kTrainer;
  rank.step_source = StepSource::kOptimizer;
  rank.functions = {{.name = "main", .file = "a.py", .line = 1, .calls = 1, .self_ns = 500}};
  return facts;
}

const FunctionTime& named(const std::vector<FunctionTime>& functions, const std::string& name) {
  return *std::ranges::find(functions, name, &FunctionTime::name);
}

TEST(SampledFunctions, AreJoinedWithTheRecordedOnes) {
  model::CallTree tree = sample_tree();
  tree.times = {
      {.process = kTrainer, .node = 3, .main_thread = true, .busy_ns = 30, .idle_ns = 10},
      {.process = kTrainer, .node = 4, .main_thread = true, .busy_ns = 300},
      {.process = kTrainer, .node = 4, .main_thread = false, .busy_ns = 5, .idle_ns = 1'000},
  };
  RunFacts facts = facts_of(tree);
  add_sampled_functions(facts);
  const auto& functions = facts.ranks[0].functions;
  ASSERT_EQ(functions.size(), 3U);
  EXPECT_EQ(functions[0].name, "tiny") << "the largest own time";
  EXPECT_EQ(functions[0].sampled_self_ns, 305) << "of another thread only what is on a CPU";
  const FunctionTime& main = named(functions, "main");
  EXPECT_EQ(main.calls, 1U);
  EXPECT_EQ(main.sampled_self_ns, 40);
  EXPECT_EQ(main.sampled_total_ns, 345) << "a recursion counts once";
  EXPECT_EQ(main.own_ns(), 40) << "samples see what was elided too";
  EXPECT_EQ(named(functions, "load").sampled_self_ns, 0);
  EXPECT_EQ(named(functions, "load").sampled_total_ns, 40);
}

TEST(SampledFunctions, OfWorkersAreApart) {
  model::CallTree tree = sample_tree();
  tree.times = {{.process = kWorker, .node = 2, .main_thread = true, .busy_ns = 70}};
  RunFacts facts = facts_of(tree);
  facts.ranks[0].workers.emplace_back().process = kWorker;
  add_sampled_functions(facts);
  EXPECT_EQ(facts.ranks[0].functions.size(), 1U);
  EXPECT_EQ(facts.ranks[0].functions[0].own_ns(), 500) << "its process was not sampled";
  EXPECT_EQ(named(facts.ranks[0].worker_functions, "load").own_ns(), 70);
}

TEST(SampledFunctions, WithoutStepsCoverAllProcesses) {
  model::CallTree tree = sample_tree();
  tree.times = {{.process = kWorker, .node = 2, .main_thread = true, .busy_ns = 70}};
  RunFacts facts = facts_of(tree);
  facts.ranks[0].step_source = StepSource::kNone;
  add_sampled_functions(facts);
  EXPECT_EQ(named(facts.ranks[0].functions, "load").own_ns(), 70);
}

TEST(SampledFunctions, OfStartUpAreLeftOutWhereStepsWereSampled) {
  model::CallTree tree = sample_tree();
  tree.times = {{.process = kTrainer, .node = 2, .main_thread = true, .busy_ns = 900},
                {.process = kTrainer,
                 .node = 4,
                 .main_thread = true,
                 .from_first_step = true,
                 .busy_ns = 60,
                 .idle_ns = 10}};
  RunFacts facts = facts_of(tree);
  add_sampled_functions(facts);
  EXPECT_EQ(named(facts.ranks[0].functions, "tiny").own_ns(), 70);
  EXPECT_EQ(named(facts.ranks[0].functions, "main").inclusive_ns(), 70);
  EXPECT_EQ(facts.ranks[0].sampled_steps_ns, 70);
  EXPECT_EQ(facts.ranks[0].lines[0].function, "tiny");
}

TEST(SampledFunctions, NothingSampledChangesNothing) {
  RunFacts facts = facts_of({});
  add_sampled_functions(facts);
  EXPECT_EQ(facts.ranks[0].functions[0].own_ns(), 500);
  EXPECT_EQ(facts.ranks[0].functions[0].sampled_self_ns, model::kNotMeasured);
}

}  // namespace
}  // namespace latido::analysis
