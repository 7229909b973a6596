#include "analysis/start_up_calls.h"

#include <gtest/gtest.h>

namespace latido::analysis {
namespace {

// main > load in start-up and in steps, main > train in steps only.
model::CallTree calls() {
  model::CallTree tree;
  tree.frames = {{"main", "a.py", 1}, {"load", "a.py", 5}, {"train", "a.py", 9}};
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 2});
  tree.nodes.push_back({.parent = 1, .frame = 1, .line = 6});
  tree.nodes.push_back({.parent = 1, .frame = 2, .line = 10});
  tree.times.push_back({.node = 2, .main_thread = true, .busy_ns = 700});
  tree.times.push_back({.node = 2, .main_thread = true, .from_first_step = true, .busy_ns = 20});
  tree.times.push_back({.node = 3, .main_thread = true, .from_first_step = true, .busy_ns = 80});
  tree.counts.samples = 8;
  tree.counts.from_first_step = 3;
  return tree;
}

model::CallTree without_steps() {
  model::CallTree tree = calls();
  for (model::CallTime& time : tree.times) time.from_first_step = false;
  return tree;
}

TEST(StartUpCalls, AreLeftOutOfWhatStepsTake) {
  const model::CallTree steps = calls_of_steps(calls());
  ASSERT_EQ(steps.times.size(), 2U);
  EXPECT_EQ(steps.times[0].busy_ns, 20);
  EXPECT_EQ(steps.times[1].busy_ns, 80);
  EXPECT_EQ(steps.counts.samples, 3U);
}

TEST(StartUpCalls, AreEverythingThatARunWithoutStepsHas) {
  EXPECT_FALSE(has_calls_of_steps(without_steps()));
  EXPECT_EQ(calls_of_steps(without_steps()), without_steps());
  EXPECT_EQ(with_start_up_apart(without_steps(), "start-up"), without_steps());
}

TEST(StartUpCalls, HangBelowAFrameOfTheirOwn) {
  const model::CallTree apart = with_start_up_apart(calls(), "start-up");
  ASSERT_EQ(apart.times.size(), 3U);
  EXPECT_EQ(apart.times[1].node, 2U) << "steps stay where they were";
  const model::CallNode& load = apart.nodes[apart.times[0].node];
  const model::CallNode& main = apart.nodes[load.parent];
  const model::CallNode& start = apart.nodes[main.parent];
  EXPECT_EQ(apart.frames[load.frame].function, "load");
  EXPECT_EQ(load.line, 6U);
  EXPECT_EQ(apart.frames[main.frame].function, "main");
  EXPECT_EQ(apart.frames[start.frame].function, "start-up");
  EXPECT_EQ(start.parent, model::CallTree::kRoot);
}

TEST(StartUpCalls, OfEqualPathsAreOnePath) {
  model::CallTree tree = calls();
  tree.times.push_back({.process = model::ProcessId{1}, .node = 2, .busy_ns = 5});
  const model::CallTree apart = with_start_up_apart(tree, "start-up");
  EXPECT_EQ(apart.times[0].node, apart.times[3].node);
  EXPECT_EQ(apart.nodes.size(), tree.nodes.size() + 3);
}

TEST(StartUpCalls, OfNoNodeStayWhereTheyAre) {
  model::CallTree tree = calls();
  tree.times[0].node = 77;
  EXPECT_EQ(with_start_up_apart(tree, "start-up").times[0].node, 77U);
}

}  // namespace
}  // namespace latido::analysis
