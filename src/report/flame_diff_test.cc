#include "report/flame_diff.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "report/call_tree_fixture.h"

namespace latido::report {
namespace {

using fixtures::CallTreeBuilder;

constexpr std::int64_t kS = 1'000'000'000;

// Sampled every 10 ms.
analysis::RunFacts run_of(CallTreeBuilder& calls, std::uint64_t steps) {
  analysis::RunFacts facts;
  facts.calls = std::move(calls.tree);
  for (const model::CallTime& time : facts.calls.times) {
    facts.calls.counts.stacks +=
        static_cast<std::uint64_t>((time.busy_ns + time.idle_ns) / 10'000'000);
  }
  facts.ranks.emplace_back().step_count = steps;
  return facts;
}

const FlameNode& node_of(const FlameTree& tree, const std::string& function) {
  for (const FlameNode& node : tree.nodes) {
    if (node.function < tree.functions.size() &&
        tree.functions[node.function].function == function) {
      return node;
    }
  }
  return tree.nodes.front();
}

struct Compared {
  analysis::FunctionChanges changes;
  FlameDiff flames;
};

Compared compare(const analysis::RunFacts& before, const analysis::RunFacts& after) {
  Compared compared;
  compared.changes = analysis::compare_functions(before, after);
  compared.flames = compare_flames(before, after, compared.changes);
  return compared;
}

TEST(FlameDiff, ScalesTheTimeBeforeToAsManySteps) {
  CallTreeBuilder before;
  before.busy({"main@3", "load"}, 20 * kS).busy({"main@3", "fit"}, 10 * kS);
  CallTreeBuilder after;
  after.busy({"main@9", "load"}, 10 * kS).busy({"main@9", "fit"}, 20 * kS);
  const Compared got = compare(run_of(before, 100), run_of(after, 200));
  const FlameTree& tree = got.flames.after;
  EXPECT_EQ(tree.nodes.front().before_ns, 60 * kS);
  EXPECT_EQ(node_of(tree, "main").before_ns, 60 * kS) << "from another line, but the same path";
  EXPECT_EQ(node_of(tree, "load").before_ns, 40 * kS);
  EXPECT_EQ(node_of(tree, "fit").before_ns, 20 * kS);
  EXPECT_EQ(change_level(node_of(tree, "load"), got.changes, 4), -3);
  EXPECT_EQ(change_level(node_of(tree, "fit"), got.changes, 4), 0) << "as long per step";
  EXPECT_TRUE(got.flames.gone.empty());
}

TEST(FlameDiff, KeepsTheTimeBeforeInThePicture) {
  CallTreeBuilder before;
  before.busy({"main", "load"}, 20 * kS);
  CallTreeBuilder after;
  after.busy({"main", "load"}, 5 * kS).busy({"main", "fit"}, 15 * kS).busy({"main", "tiny"}, 1'000);
  const Compared got = compare(run_of(before, 10), run_of(after, 10));
  const FlameTree drawn = for_drawing(got.flames.after, {.least_part = 100});
  EXPECT_EQ(node_of(drawn, "load").before_ns, 20 * kS);
  EXPECT_EQ(node_of(drawn, "fit").before_ns, 0) << "new";
  EXPECT_EQ(drawn.nodes.back().function, FlameTree::kRest);
  EXPECT_EQ(change_level(drawn.nodes.back(), got.changes, 4), 0) << "nobody knows";
}

TEST(FlameDiff, NamesWhatIsGoneWhereItLeavesTheRest) {
  CallTreeBuilder before;
  before.busy({"main", "load", "decode"}, 20 * kS)
      .busy({"main", "load", "decode", "copy"}, 10 * kS)
      .busy({"main", "once"}, 20'000'000)
      .busy({"main"}, 10 * kS);
  CallTreeBuilder after;
  after.busy({"main"}, 10 * kS);
  const Compared got = compare(run_of(before, 10), run_of(after, 10));
  ASSERT_EQ(got.flames.gone.size(), 1U) << "two samples of once may be chance";
  const GonePath& gone = got.flames.gone[0];
  ASSERT_EQ(gone.functions.size(), 2U);
  EXPECT_EQ(got.flames.before.functions[gone.functions[1]].function, "load");
  EXPECT_EQ(gone.before_ns, 30 * kS);
}

TEST(ChangeLevel, SaysHowMuch) {
  struct Case {
    const char* name;
    std::int64_t before_s, after_s;
    int want;
  };
  CallTreeBuilder before;
  before.busy({"main"}, 1'000 * kS);
  CallTreeBuilder after;
  after.busy({"main"}, 1'000 * kS);
  const Compared got = compare(run_of(before, 10), run_of(after, 10));
  for (const Case& c :
       {Case{"same", 100, 100, 0}, Case{"a little less", 100, 80, -1}, Case{"less", 100, 60, -2},
        Case{"much less", 100, 30, -3}, Case{"a little more", 80, 100, 1}, Case{"more", 60, 100, 2},
        Case{"much more", 30, 100, 3}, Case{"new", 0, 100, 3}, Case{"a percent", 100, 101, 0}}) {
    const FlameNode node{.total_ns = c.after_s * kS, .before_ns = c.before_s * kS};
    EXPECT_EQ(change_level(node, got.changes, 20), c.want) << c.name;
  }
}

TEST(FlameDiff, DoesNotRecurse) {
  analysis::RunFacts deep;
  deep.calls = fixtures::deep_tree(10'000);
  deep.calls.counts.stacks = 100;
  analysis::RunFacts other = deep;
  other.calls.nodes.pop_back();
  other.calls.times[0].node = 9'999;
  EXPECT_EQ(compare(deep, other).flames.gone.size(), 1U);
}

}  // namespace
}  // namespace latido::report
