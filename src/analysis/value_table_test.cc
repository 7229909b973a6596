#include "analysis/value_table.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

namespace latido::analysis {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

RankFacts facts_of(const ValueTable& table) {
  RankFacts rank;
  table.write_to(rank);
  return rank;
}

TEST(ValueTable, SumsUpByNameInTheOrderOfFirstUse) {
  ValueTable table;
  table.add("queue_length", 10, 3);
  table.add("accuracy", 11, 0.5);
  table.add("queue_length", 20, 9);
  table.add("queue_length", 30, -1);
  const RankFacts rank = facts_of(table);
  ASSERT_EQ(rank.series.size(), 2U);
  const LoggedSeries& queue = rank.series[0];
  EXPECT_EQ(queue.name, "queue_length");
  EXPECT_EQ(queue.count, 3U);
  EXPECT_EQ(queue.not_finite, 0U);
  EXPECT_EQ(queue.first, 3);
  EXPECT_EQ(queue.last, -1);
  EXPECT_EQ(queue.min, -1);
  EXPECT_EQ(queue.max, 9);
  EXPECT_EQ(rank.series[1].name, "accuracy");
  EXPECT_EQ(rank.series_beyond, 0U);
}

TEST(ValueTable, KeepsWhatIsNotANumber) {
  ValueTable table;
  table.add("x", 1, kNaN);
  table.add("x", 2, 4);
  table.add("x", 3, kInfinity);
  table.add("never", 4, -kInfinity);
  const RankFacts rank = facts_of(table);
  ASSERT_EQ(rank.series.size(), 2U);
  EXPECT_TRUE(std::isnan(rank.series[0].first));
  EXPECT_EQ(rank.series[0].last, kInfinity);
  EXPECT_EQ(rank.series[0].min, 4);
  EXPECT_EQ(rank.series[0].max, 4);
  EXPECT_EQ(rank.series[0].not_finite, 2U);
  EXPECT_EQ(rank.series[1].last, -kInfinity);
  EXPECT_TRUE(std::isnan(rank.series[1].min));
  EXPECT_TRUE(std::isnan(rank.series[1].max));
}

TEST(ValueTable, CountsTheValuesOfNamesBeyondTheLimit) {
  ValueTable table;
  for (std::size_t round = 0; round < 2; ++round) {
    for (std::size_t i = 0; i < ValueTable::kMaxNames + 3; ++i) {
      table.add("name " + std::to_string(i), static_cast<std::int64_t>(i), 1);
    }
  }
  const RankFacts rank = facts_of(table);
  EXPECT_EQ(rank.series.size(), ValueTable::kMaxNames);
  EXPECT_EQ(rank.series[0].count, 2U);
  EXPECT_EQ(rank.series_beyond, 6U);
}

TEST(ValueTable, AddsAnotherProcessByTime) {
  ValueTable early;
  ValueTable late;
  early.add("x", 10, 1);
  late.add("x", 20, 2);
  late.add("y", 5, 7);
  late.add(early);
  const RankFacts rank = facts_of(late);
  ASSERT_EQ(rank.series.size(), 2U);
  EXPECT_EQ(rank.series[0].name, "y");
  EXPECT_EQ(rank.series[1].first, 1);
  EXPECT_EQ(rank.series[1].last, 2);
  EXPECT_EQ(rank.series[1].count, 2U);
}

}  // namespace
}  // namespace latido::analysis
