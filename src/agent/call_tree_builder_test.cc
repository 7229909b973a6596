#include "agent/call_tree_builder.h"

#include <gtest/gtest.h>

#include <vector>

namespace latido::agent {
namespace {

using stacks::Frame;

class CallTreeBuilderTest : public ::testing::Test {
 protected:
  stacks::FunctionId function(const std::string& name) {
    return functions_.intern({.name = name, .file = name + ".py", .first_line = 1});
  }
  // Innermost first.
  std::uint32_t node(const std::vector<Frame>& stack) { return builder_.node_of(names_, stack); }

  stacks::FunctionTable functions_;
  CallTreeBuilder builder_;
  CallTreeBuilder::Names names_{functions_};
};

TEST_F(CallTreeBuilderTest, EqualStacksEndAtOneNode) {
  const Frame main{function("main"), 10};
  const Frame load{function("load"), 5};
  const std::uint32_t deep = node({load, main});
  EXPECT_EQ(node({load, main}), deep);
  EXPECT_NE(node({load}), deep) << "another caller";
  EXPECT_NE(node({Frame{load.function, 6}, main}), deep) << "another line";
  const model::CallTree& tree = builder_.tree();
  EXPECT_EQ(tree.frames.size(), 2U);
  EXPECT_EQ(tree.frames[tree.nodes[deep].frame].function, "load");
  EXPECT_EQ(tree.nodes[tree.nodes[deep].parent].line, 10U);
}

TEST_F(CallTreeBuilderTest, AFunctionOfTwoProcessesIsOneFrame) {
  stacks::FunctionTable other;
  other.intern({.name = "something", .file = "else.py"});
  const auto same = other.intern({.name = "main", .file = "main.py", .first_line = 1});
  CallTreeBuilder::Names other_names(other);
  const std::uint32_t first = node({Frame{function("main"), 3}});
  EXPECT_EQ(builder_.node_of(other_names, std::vector{Frame{same, 3}}), first);
}

TEST_F(CallTreeBuilderTest, TimesAddUpByProcessAndThread) {
  const std::uint32_t at = node({Frame{function("main"), 3}});
  const model::ProcessId one{1};
  builder_.add({.process = one, .main_thread = true, .busy = true}, at, 10);
  builder_.add({.process = one, .main_thread = true, .busy = false}, at, 5);
  builder_.add({.process = one, .main_thread = false, .busy = true}, at, 7);
  builder_.add({.process = model::ProcessId{2}, .main_thread = true, .busy = true}, at, 1);
  ASSERT_EQ(builder_.tree().times.size(), 3U);
  EXPECT_EQ(builder_.tree().times[0].busy_ns, 10);
  EXPECT_EQ(builder_.tree().times[0].idle_ns, 5);
  EXPECT_EQ(builder_.tree().times[1].busy_ns, 7);
}

TEST_F(CallTreeBuilderTest, TellsOnlyWhatChanged) {
  const std::uint32_t first = node({Frame{function("main"), 3}});
  builder_.add({.process = model::ProcessId{1}, .main_thread = true, .busy = true}, first, 10);
  const auto all = builder_.take_changes();
  EXPECT_EQ(all.first_node, 1U) << "the root is not told";
  EXPECT_EQ(all.part.nodes.size(), 1U);
  EXPECT_EQ(all.part.times.size(), 1U);

  EXPECT_TRUE(builder_.take_changes().part.times.empty());

  const std::uint32_t second = node({Frame{function("load"), 4}, Frame{function("main"), 3}});
  builder_.add({.process = model::ProcessId{1}, .main_thread = true, .busy = true}, second, 2);
  builder_.add({.process = model::ProcessId{1}, .main_thread = true, .busy = true}, second, 2);
  const auto changes = builder_.take_changes();
  EXPECT_EQ(changes.first_frame, 1U);
  EXPECT_EQ(changes.first_node, 2U);
  ASSERT_EQ(changes.part.times.size(), 1U);
  EXPECT_EQ(changes.part.times[0].busy_ns, 4);
}

TEST_F(CallTreeBuilderTest, PathsWithoutEndEndWhereThereIsRoom) {
  const Frame main{function("main"), 1};
  const auto other = function("other");
  for (std::size_t line = 1; line <= CallTreeBuilder::kMaxNodes + 5; ++line) {
    node({Frame{other, static_cast<std::int32_t>(line)}, main});
  }
  EXPECT_EQ(builder_.tree().nodes.size(), CallTreeBuilder::kMaxNodes);
  EXPECT_GE(builder_.counts().truncated, 5U);
  EXPECT_EQ(node({Frame{other, 100'000'000}, main}), 1U) << "the time is that of main";
}

}  // namespace
}  // namespace latido::agent
