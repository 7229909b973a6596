#include "report/plot_axis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string_view>
#include <vector>

namespace latido::report {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

TEST(AxisFor, CoversTheValuesWithRoundTicks) {
  struct Case {
    std::string_view name;
    double low;
    double high;
    bool binary;
    double want_low;
    double want_high;
    double want_step;
  };
  const std::vector<Case> cases{
      {"step times", 0, 433, false, 0, 600, 200},
      {"loss", 0.8, 2.3, false, 0.5, 2.5, 0.5},
      {"negative", -3, 3, false, -4, 4, 2},
      {"bytes", 0, 60 * 0x1p30, true, 0, 64 * 0x1p30, 16 * 0x1p30},
  };
  for (const Case& c : cases) {
    const Axis axis = axis_for(c.low, c.high, 4, c.binary);
    EXPECT_DOUBLE_EQ(axis.low, c.want_low) << c.name;
    EXPECT_DOUBLE_EQ(axis.high, c.want_high) << c.name;
    ASSERT_GE(axis.ticks.size(), 2U) << c.name;
    EXPECT_DOUBLE_EQ(axis.ticks[1] - axis.ticks[0], c.want_step) << c.name;
  }
}

TEST(AxisFor, SurvivesFlatEmptyAndInfinite) {
  constexpr double kInf = std::numeric_limits<double>::infinity();
  for (const auto& [low, high] : std::vector<std::pair<double, double>>{
           {0, 0}, {5, 5}, {-2, -2}, {kInf, -kInf}, {kNan, kNan}, {1e300, 1e301}, {0, 1e-300}}) {
    const Axis axis = axis_for(low, high, 4);
    EXPECT_GT(axis.high, axis.low) << low << " " << high;
    EXPECT_LE(axis.ticks.size(), 21U);
  }
}

TEST(BucketSteps, KeepsSumsOfPhasesAndTheSlowest) {
  std::vector<model::Step> steps(1000);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].phase_ns = {4, model::kNotMeasured, 3, 2, model::kNotMeasured, 1, 0};
    steps[i].wall_ns = i == 500 ? 100 : 10;
  }
  const auto buckets = bucket_steps(steps, 2, 300);
  ASSERT_EQ(buckets.size(), 250U);
  EXPECT_EQ(buckets[1].first_step, 9U);
  EXPECT_EQ(buckets[1].steps, 8U);
  EXPECT_DOUBLE_EQ(buckets[0].mean_ns[0], 4);
  EXPECT_DOUBLE_EQ(buckets[0].mean_ns[1], 0);
  EXPECT_DOUBLE_EQ(buckets[125].slowest_ns, 100);
  EXPECT_TRUE(bucket_steps({}, 1, 300).empty());
}

TEST(Decimate, AveragesNeighboursAndKeepsGaps) {
  const std::vector<PlotPoint> points{{0, 1}, {1, 3}, {2, kNan}, {3, kNan}, {4, 5}};
  const auto out = decimate(points, 3);
  ASSERT_EQ(out.size(), 3U);
  EXPECT_DOUBLE_EQ(out[0].y, 2);
  EXPECT_TRUE(std::isnan(out[1].y));
  EXPECT_DOUBLE_EQ(out[2].y, 5);
}

TEST(ValueAtRatio, PassesOverWhatIsNotFinite) {
  EXPECT_DOUBLE_EQ(value_at_ratio({kNan, 1, 2, 3}, 0.5), 2);
  EXPECT_DOUBLE_EQ(value_at_ratio({kNan}, 0.5), 0);
  EXPECT_DOUBLE_EQ(value_at_ratio({}, 1), 0);
}

}  // namespace
}  // namespace latido::report
