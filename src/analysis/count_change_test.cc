#include "analysis/count_change.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

namespace latido::analysis {
namespace {

TEST(CountChange, TellsMoreFromLess) {
  struct Case {
    const char* name;
    SampleCount before, after;
    double low, high;
  };
  const std::vector<Case> cases{
      {"nothing", {0, 0}, {5, 0}, 0, 0},
      {"the same", {100, 10}, {100, 10}, 0, 0},
      {"the same rate of more work", {100, 10}, {1'000, 100}, -0.1, 0.1},
      {"twice as much", {100, 10}, {200, 10}, 5, 6.5},
      {"half as much", {200, 10}, {100, 10}, -6.5, -5},
      {"one sample that was not there", {0, 10}, {1, 10}, 0.5, 1.2},
      {"gone", {50, 10}, {0, 10}, -12, -6},
      {"damaged", {-5, 10}, {-7, 10}, 0, 0},
  };
  for (const Case& c : cases) {
    const double z = count_change_z(c.before, c.after);
    EXPECT_GE(z, c.low) << c.name;
    EXPECT_LE(z, c.high) << c.name;
  }
}

// The claim of the header, at counts few and many and at unequal exposures.
TEST(CountChange, HasStandardDeviationsWhereNothingChanged) {
  for (const double mean : {2.0, 20.0, 500.0}) {
    for (const double exposures : {0.5, 1.0, 3.0}) {
      std::mt19937_64 random(7);
      std::poisson_distribution<int> before(mean);
      std::poisson_distribution<int> after(mean * exposures);
      constexpr int kTimes = 4'000;
      double sum = 0;
      double squares = 0;
      for (int i = 0; i < kTimes; ++i) {
        const double z = count_change_z({static_cast<double>(before(random)), 1},
                                        {static_cast<double>(after(random)), exposures});
        sum += z;
        squares += z * z;
      }
      EXPECT_NEAR(sum / kTimes, 0, 0.12) << mean << " " << exposures;
      EXPECT_NEAR(std::sqrt(squares / kTimes), 1, 0.12) << mean << " " << exposures;
    }
  }
}

TEST(BeyondChance, AsksMoreWhereMoreIsLookedAt) {
  EXPECT_TRUE(beyond_chance(2.0, 1));
  EXPECT_FALSE(beyond_chance(1.9, 1));
  EXPECT_FALSE(beyond_chance(2.0, 10));
  EXPECT_TRUE(beyond_chance(-4.2, 1'000));
  EXPECT_FALSE(beyond_chance(4.0, 1'000));
}

}  // namespace
}  // namespace latido::analysis
