#include "report/function_shares.h"

#include <gtest/gtest.h>

#include <string>

#include "report/call_tree_fixture.h"

namespace latido::report {
namespace {

using fixtures::CallTreeBuilder;

constexpr std::int64_t kMs = 1'000'000;

std::string shown(const model::CallTree& tree, std::size_t most = 30) {
  const FlameTree sum = sum_by_function(tree, CountedTime::kWall);
  std::string out;
  for (const FunctionShare& share : function_shares(sum, most)) {
    if (!out.empty()) out += " ";
    out += sum.functions[share.function].function + ":" + std::to_string(share.self_ns / kMs) +
           "/" + std::to_string(share.total_ns / kMs) + "@" + std::to_string(share.line);
  }
  return out;
}

TEST(FunctionShares, AddAFunctionOverItsCallers) {
  CallTreeBuilder tree;
  tree.busy({"a@2", "work@7"}, 5 * kMs).busy({"b@3", "work@8"}, 6 * kMs).busy({"a@2"}, 1 * kMs);
  EXPECT_EQ(shown(tree.tree), "work:11/11@8 a:1/6@2 b:0/6@3");
  EXPECT_EQ(shown(tree.tree, 1), "work:11/11@8");
}

TEST(FunctionShares, CountAFunctionThatCallsItselfOnce) {
  CallTreeBuilder tree;
  tree.busy({"fib", "fib"}, 2 * kMs)
      .busy({"fib", "other", "fib"}, 3 * kMs)
      .busy({"fib"}, 1 * kMs)
      .busy({"other", "fib"}, 10 * kMs);
  EXPECT_EQ(shown(tree.tree), "fib:16/16@1 other:0/13@1");
  const FlameTree deep = sum_by_function(fixtures::deep_tree(10'000), CountedTime::kWall);
  EXPECT_EQ(function_shares(deep, 30).at(0).total_ns, 1'000 * kMs);
}

TEST(FunctionShares, LeaveOutFunctionsWithoutTime) {
  CallTreeBuilder tree;
  tree.busy({"a"}, 1 * kMs).idle({"pool"}, 7 * kMs, false);
  EXPECT_EQ(shown(tree.tree), "a:1/1@1");
  EXPECT_EQ(shown({}), "");
}

}  // namespace
}  // namespace latido::report
