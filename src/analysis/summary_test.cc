#include "analysis/summary.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "analysis/random.h"
#include "analysis/theil_sen.h"
#include "analysis/warmup.h"

namespace latido::analysis {
namespace {

TEST(Summary, QuantilesLieBetweenNeighbours) {
  std::vector<double> values{5, 1, 4, 2, 3};
  EXPECT_DOUBLE_EQ(quantile(std::span<double>(values), 0), 1);
  EXPECT_DOUBLE_EQ(quantile(std::span<double>(values), 0.5), 3);
  EXPECT_DOUBLE_EQ(quantile(std::span<double>(values), 1), 5);
  EXPECT_DOUBLE_EQ(quantile(std::span<double>(values), 0.9), 4.6);
  EXPECT_DOUBLE_EQ(mean(values), 3);
  EXPECT_DOUBLE_EQ(median(std::span<const double>()), 0);
  EXPECT_DOUBLE_EQ(median(std::array<std::int64_t, 2>{10, 20}), 15);
}

TEST(Summary, CondensedSeriesKeepsTheMean) {
  std::vector<double> values;
  for (int i = 0; i < 1000; ++i) values.push_back(i);
  const std::vector<double> few = condense(values, 100);
  EXPECT_EQ(few.size(), 100U);
  EXPECT_DOUBLE_EQ(mean(few), mean(values));
  EXPECT_EQ(condense(values, 1000).size(), 1000U);
  EXPECT_EQ(condense(values, 300).size(), 250U);
}

TEST(TheilSen, FindsASlopeThatOutliersDoNotBend) {
  Random random(4);
  std::vector<double> x;
  std::vector<double> y;
  for (int i = 0; i < 500; ++i) {
    x.push_back(i);
    y.push_back(3.0 * i + 20 * (random.uniform() - 0.5) + (i % 17 == 0 ? 5000 : 0));
  }
  const auto got = theil_sen(x, y);
  ASSERT_TRUE(got.has_value());
  EXPECT_NEAR(got->slope, 3.0, 0.1);
  EXPECT_LT(got->low, 3.0);
  EXPECT_GT(got->high, 3.0);
}

TEST(TheilSen, OfNoiseHoldsZero) {
  Random random(6);
  int covered = 0;
  for (int repeat = 0; repeat < 200; ++repeat) {
    std::vector<double> x;
    std::vector<double> y;
    for (int i = 0; i < 60; ++i) {
      x.push_back(i);
      y.push_back(random.uniform());
    }
    const auto got = theil_sen(x, y);
    if (got->low <= 0 && got->high >= 0) ++covered;
  }
  EXPECT_GE(covered, 200 * 86 / 100);
  EXPECT_LE(covered, 200 * 97 / 100);
}

TEST(TheilSen, NeedsPointsThatDiffer) {
  const std::vector<double> two{1, 2};
  const std::vector<double> same{1, 1, 1, 1};
  EXPECT_FALSE(theil_sen(two, two).has_value());
  EXPECT_FALSE(theil_sen(same, same).has_value());
}

std::vector<std::int64_t> walls(std::vector<std::int64_t> first, std::size_t n, std::int64_t rest) {
  first.resize(n, rest);
  return first;
}

TEST(Warmup, EndsWhereTheStepsAreSteady) {
  struct Case {
    const char* name;
    std::vector<std::int64_t> walls_ns;
    std::size_t want;
  };
  std::vector<std::int64_t> falling;
  for (int i = 0; i < 200; ++i) falling.push_back(100 + (i < 15 ? 20 * (15 - i) : 0));
  std::vector<std::int64_t> never;
  for (int i = 0; i < 200; ++i) never.push_back(static_cast<std::int64_t>(1e6 * std::pow(0.95, i)));
  for (const Case& c : {
           Case{"steady at once", walls({}, 100, 50), 0},
           Case{"one slow first step", walls({5000}, 100, 50), 1},
           Case{"a slow step later", walls({5000, 50, 50, 5000}, 100, 50), 4},
           Case{"falls for 15", falling, 10},
           Case{"never", never, 20},
           Case{"few steps: a quarter at most", walls({900, 800, 700, 600, 500}, 12, 50), 3},
           Case{"few and steady", walls({}, 12, 50), 0},
           Case{"three", walls({900}, 3, 50), 0},
           Case{"none", {}, 0},
       }) {
    EXPECT_EQ(warmup_steps(c.walls_ns), c.want) << c.name;
  }
}

}  // namespace
}  // namespace latido::analysis
