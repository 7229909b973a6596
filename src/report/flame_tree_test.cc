#include "report/flame_tree.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "report/call_tree_fixture.h"

namespace latido::report {
namespace {

using fixtures::CallTreeBuilder;

constexpr std::int64_t kMs = 1'000'000;

// "main 10/90, a 80/80": own and total milliseconds of the callees of each node, in order.
std::string shown(const FlameTree& tree) {
  std::string out;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    const FlameNode& node = tree.nodes[i];
    out += i == 0 ? "" : " ";
    if (node.function < tree.functions.size()) {
      out += std::to_string(node.parent) + ">" + tree.functions[node.function].function;
    } else {
      out += i == 0 ? "root" : std::to_string(node.parent) + ">rest";
    }
    out += ":" + std::to_string(node.self_ns / kMs) + "/" + std::to_string(node.total_ns / kMs);
  }
  return out;
}

TEST(CountedTime, IsWallTimeOfMainThreadsAndBusyTimeOfOthers) {
  struct Case {
    const char* name;
    bool main_thread;
    CountedTime counted;
    std::int64_t busy_ns, idle_ns, want_ns;
  };
  const std::vector<Case> cases{{"main", true, CountedTime::kWall, 3, 4, 7},
                                {"other", false, CountedTime::kWall, 3, 4, 3},
                                {"main, busy only", true, CountedTime::kBusy, 3, 4, 3},
                                {"other, busy only", false, CountedTime::kBusy, 3, 4, 3},
                                {"damaged", true, CountedTime::kWall, -3, 4, 4}};
  for (const Case& c : cases) {
    const model::CallTime time{
        .main_thread = c.main_thread, .busy_ns = c.busy_ns, .idle_ns = c.idle_ns};
    EXPECT_EQ(counted_ns(time, c.counted), c.want_ns) << c.name;
  }
}

TEST(SumByFunction, TellsWaitsApart) {
  CallTreeBuilder tree;
  tree.busy({"main", "fit"}, 10 * kMs)
      .idle({"main", "fit"}, 30 * kMs, true)
      .idle({"main", "tiny"}, kMs, true)
      .idle({"pool"}, 50 * kMs, false);
  const FlameTree sum = sum_by_function(tree.tree, CountedTime::kWall);
  EXPECT_EQ(sum.nodes[0].total_idle_ns, 31 * kMs) << "another thread's wait counts nowhere";
  EXPECT_EQ(sum.nodes[2].self_idle_ns, 30 * kMs);
  const FlameTree drawn = for_drawing(sum, {.least_part = 20});
  EXPECT_EQ(drawn.nodes.back().function, FlameTree::kRest);
  EXPECT_EQ(drawn.nodes.back().self_idle_ns, kMs);
  EXPECT_EQ(sum_by_function(tree.tree, CountedTime::kBusy).nodes[0].total_idle_ns, 0);
}

TEST(SumByFunction, AddsCallsFromAllLinesOfAFunction) {
  CallTreeBuilder tree;
  tree.busy({"main@3", "work@7"}, 10 * kMs)
      .busy({"main@4", "work@8"}, 30 * kMs)
      .busy({"main@4", "work@7"}, 5 * kMs)
      .busy({"main@3"}, 2 * kMs);
  const FlameTree sum = sum_by_function(tree.tree, CountedTime::kBusy);
  EXPECT_EQ(shown(sum), "root:0/47 0>main:2/47 1>work:45/45");
  EXPECT_EQ(sum.nodes[1].line, 4U);
  EXPECT_EQ(sum.nodes[2].line, 8U);
}

TEST(SumByFunction, KeepsCallersAndFilesApart) {
  CallTreeBuilder tree;
  tree.busy({"a", "work"}, 1 * kMs).busy({"b", "work"}, 2 * kMs);
  model::CallFrame same_name = tree.tree.frames[1];
  same_name.file = "other.py";
  tree.tree.frames.push_back(same_name);
  tree.tree.nodes.push_back({.parent = 1, .frame = 3, .line = 1});
  tree.tree.times.push_back({.node = 5, .busy_ns = 4 * kMs});
  EXPECT_EQ(shown(sum_by_function(tree.tree, CountedTime::kBusy)),
            "root:0/7 0>a:0/5 1>work:1/1 0>b:0/2 3>work:2/2 1>work:4/4");
}

TEST(SumByFunction, TakesFramesThatStandTwiceAsOneFunction) {
  CallTreeBuilder tree;
  tree.busy({"a"}, 1 * kMs);
  tree.tree.frames.push_back(tree.tree.frames[0]);
  tree.tree.nodes.push_back({.parent = 0, .frame = 1, .line = 9});
  tree.tree.times.push_back({.node = 2, .busy_ns = 2 * kMs});
  EXPECT_EQ(shown(sum_by_function(tree.tree, CountedTime::kBusy)), "root:0/3 0>a:3/3");
}

TEST(SumByFunction, CountsTheWaitOfTheMainThread) {
  CallTreeBuilder tree;
  tree.busy({"main"}, 1 * kMs).idle({"main", "wait"}, 5 * kMs, true).idle({"pool"}, 9 * kMs, false);
  EXPECT_EQ(sum_by_function(tree.tree, CountedTime::kWall).total_ns(), 6 * kMs);
  EXPECT_EQ(sum_by_function(tree.tree, CountedTime::kBusy).total_ns(), 1 * kMs);
}

TEST(SumByFunction, SurvivesADamagedTree) {
  CallTreeBuilder tree;
  tree.busy({"a"}, 1 * kMs);
  tree.tree.nodes.push_back({.parent = 77, .frame = 0, .line = 1});
  tree.tree.nodes.push_back({.parent = 1, .frame = 99, .line = 1});
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max();
  tree.tree.times.push_back({.node = 2, .busy_ns = 1 * kMs});
  tree.tree.times.push_back({.node = 3, .busy_ns = 1 * kMs});
  tree.tree.times.push_back({.node = 1'000, .busy_ns = 1 * kMs});
  EXPECT_EQ(shown(sum_by_function(tree.tree, CountedTime::kBusy)), "root:0/3 0>a:3/3");
  tree.tree.times.push_back({.node = 1, .busy_ns = kMost});
  EXPECT_EQ(sum_by_function(tree.tree, CountedTime::kBusy).total_ns(), kMost);
  EXPECT_LE(for_drawing(sum_by_function(tree.tree, CountedTime::kBusy)).nodes.size(), 3U);
  EXPECT_EQ(sum_by_function({}, CountedTime::kWall).total_ns(), 0);
}

TEST(ForDrawing, GoesLevelByLevelWithTheMostTimeFirst) {
  CallTreeBuilder tree;
  tree.busy({"main", "small", "x"}, 1 * kMs)
      .busy({"main", "large", "y"}, 2 * kMs)
      .busy({"main", "large", "z"}, 3 * kMs);
  const FlameTree drawn = for_drawing(sum_by_function(tree.tree, CountedTime::kBusy));
  EXPECT_EQ(shown(drawn), "root:0/6 0>main:0/6 1>large:0/5 1>small:0/1 2>z:3/3 2>y:2/2 3>x:1/1");
  EXPECT_EQ(drawn.functions[0].function, "z");
  EXPECT_EQ(drawn.functions[1].function, "y");
}

TEST(ForDrawing, PutsWhatIsTooSmallIntoOneNodeBesideTheOthers) {
  CallTreeBuilder tree;
  tree.busy({"main", "large"}, 98 * kMs)
      .busy({"main", "tiny"}, 1 * kMs)
      .busy({"main", "least"}, 1 * kMs);
  const FlameTree sum = sum_by_function(tree.tree, CountedTime::kBusy);
  const FlameTree drawn = for_drawing(sum, {.least_part = 50, .most_nodes = 100});
  EXPECT_EQ(shown(drawn), "root:0/100 0>main:0/100 1>large:98/98 1>rest:2/2");
  EXPECT_EQ(drawn.functions.size(), 2U);
  EXPECT_EQ(shown(for_drawing(sum, {.least_part = 100, .most_nodes = 100})),
            "root:0/100 0>main:0/100 1>large:98/98 1>tiny:1/1 1>least:1/1");
}

TEST(ForDrawing, KeepsToTheLimitOfNodes) {
  CallTreeBuilder tree;
  for (int i = 0; i < 300; ++i) {
    const std::string name = "f" + std::to_string(i);
    tree.busy({"main", name}, (300 + i) * kMs).busy({"main", name, "leaf"}, 200 * kMs);
  }
  const FlameTree sum = sum_by_function(tree.tree, CountedTime::kBusy);
  for (const std::size_t most : {1U, 2U, 3U, 10U, 200U, 601U, 602U, 1'000U}) {
    const FlameTree drawn = for_drawing(sum, {.least_part = 1'000'000, .most_nodes = most});
    EXPECT_LE(drawn.nodes.size(), std::max<std::size_t>(most, 2)) << most;
    std::int64_t self_ns = 0;
    for (const FlameNode& node : drawn.nodes) self_ns += node.self_ns;
    EXPECT_EQ(self_ns, sum.total_ns()) << most;
  }
  EXPECT_EQ(for_drawing(sum).nodes.size(), 602U);
}

TEST(ForDrawing, TakesARecursionOf10000Calls) {
  const model::CallTree tree = fixtures::deep_tree(10'000);
  const FlameTree drawn = for_drawing(sum_by_function(tree, CountedTime::kWall));
  EXPECT_EQ(drawn.nodes.size(), 10'001U);
  EXPECT_EQ(drawn.functions.size(), 1U);
  EXPECT_TRUE(for_drawing({}).nodes.empty());
}

}  // namespace
}  // namespace latido::report
