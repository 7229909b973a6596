#include "analysis/function_table.h"

#include <gtest/gtest.h>

namespace latido::analysis {
namespace {

model::Tables three_functions() {
  model::Tables tables;
  for (const char* name : {"main", "load", "step"}) {
    tables.sites.push_back(
        {.name = name, .category = model::Category::kFunction, .file = "t.py", .line = 3});
  }
  return tables;
}

FunctionCall call(std::uint32_t site, std::int64_t duration_ns, std::int64_t self_ns) {
  return {.site = model::SiteId{site}, .duration_ns = duration_ns, .self_ns = self_ns};
}

TEST(FunctionTable, SortsBySelfTimeAndSumsCalls) {
  FunctionTable table;
  table.add(call(0, 1000, 100), false);
  for (int i = 0; i < 3; ++i) table.add(call(1, 200, 200), true);
  table.add(call(2, 50, 50), true);
  const auto largest = table.largest(three_functions(), 2, 3);
  ASSERT_EQ(largest.size(), 2U);
  EXPECT_EQ(largest[0].name, "load");
  EXPECT_EQ(largest[0].calls, 3U);
  EXPECT_EQ(largest[0].total_ns, 600);
  EXPECT_EQ(largest[0].mean_per_step_ns, 200);
  EXPECT_EQ(largest[1].name, "main");
  EXPECT_EQ(largest[1].mean_per_step_ns, 0) << "outside steps";
}

TEST(FunctionTable, ARecursiveCallAddsNoTotal) {
  FunctionTable table;
  FunctionCall inner = call(0, 40, 40);
  inner.recursive = true;
  table.add(inner, false);
  table.add(call(0, 100, 60), false);
  const auto largest = table.largest(three_functions(), 1, 0);
  EXPECT_EQ(largest[0].total_ns, 100);
  EXPECT_EQ(largest[0].self_ns, 100);
  EXPECT_EQ(largest[0].calls, 2U);
}

TEST(FunctionTable, PercentilesLeaveOutCutCalls) {
  FunctionTable table;
  for (int i = 0; i < 99; ++i) table.add(call(0, 1000, 1000), false);
  FunctionCall cut = call(0, 1'000'000, 1'000'000);
  cut.cut = true;
  for (int i = 0; i < 99; ++i) table.add(cut, false);
  const auto largest = table.largest(three_functions(), 1, 0);
  EXPECT_NEAR(static_cast<double>(largest[0].p99_ns), 1000, 51);
}

TEST(FunctionTable, SaysWhichAreElided) {
  FunctionTable table;
  table.add(call(0, 10, 10), false);
  table.add(call(1, 20, 20), false);
  table.set_elided(model::SiteId{0});
  EXPECT_EQ(table.counts().recorded, 2U);
  EXPECT_EQ(table.counts().elided, 1U);
  const auto largest = table.largest(three_functions(), 2, 0);
  EXPECT_FALSE(largest[0].elided);
  EXPECT_TRUE(largest[1].elided);
}

TEST(FunctionTable, SumsUpWhatFindsNoRoom) {
  FunctionTable table;
  const auto most = static_cast<std::uint32_t>(FunctionTable::kMaxSites);
  for (std::uint32_t site = 0; site < most + 5; ++site) table.add(call(site, 7, 7), false);
  FunctionTable sum;
  sum.add(table);
  const auto largest = sum.largest(three_functions(), 10, 0);
  ASSERT_EQ(largest.size(), 4U) << "three have a name; the rest is one entry";
  EXPECT_EQ(largest[0].name, "(other functions)");
  EXPECT_EQ(largest[0].calls, 5U);
}

}  // namespace
}  // namespace latido::analysis
