#include "analysis/block_bootstrap.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "analysis/step_comparison.h"

namespace latido::analysis {
namespace {

double normal(Random& random) {
  const double u = 1 - random.uniform();
  return std::sqrt(-2 * std::log(u)) * std::cos(2 * std::numbers::pi * random.uniform());
}

// Mean 100, standard deviation 5, each value pulled towards the one before.
std::vector<double> autocorrelated(std::size_t n, double rho, Random& random, double centre = 100) {
  std::vector<double> values;
  double state = normal(random);
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(centre + 5 * state);
    state = rho * state + std::sqrt(1 - rho * rho) * normal(random);
  }
  return values;
}

TEST(StudentT, HasTheTabulatedQuantiles) {
  struct Case {
    double confidence;
    double degrees;
    double want;
  };
  for (const Case& c : {Case{0.90, 1, 6.314}, Case{0.90, 10, 1.812}, Case{0.95, 5, 2.571},
                        Case{0.95, 30, 2.042}, Case{0.95, 1e6, 1.960}}) {
    EXPECT_NEAR(student_t(c.confidence, c.degrees), c.want, 2e-3)
        << c.confidence << " " << c.degrees;
  }
  EXPECT_NEAR(student_t_tail(2.042, 30), 0.05, 1e-4);
}

TEST(BlockLength, GrowsWithAutocorrelation) {
  Random random(7);
  const std::size_t none = block_length(autocorrelated(2000, 0, random));
  const std::size_t some = block_length(autocorrelated(2000, 0.5, random));
  const std::size_t much = block_length(autocorrelated(2000, 0.9, random));
  EXPECT_LE(none, 15U);
  EXPECT_GT(some, none);
  EXPECT_GT(much, some);
  EXPECT_LE(much, 500U);
  EXPECT_EQ(block_length(std::vector<double>(100, 3.0)), 1U);
}

TEST(MeanInterval, OfValuesThatDoNotVaryHasNoWidth) {
  const std::vector<double> same(50, 7.0);
  EXPECT_DOUBLE_EQ(mean_interval(same).mean, 7.0);
  EXPECT_DOUBLE_EQ(mean_interval(same).half_width, 0.0);
  EXPECT_DOUBLE_EQ(mean_interval({}).mean, 0.0);
  EXPECT_DOUBLE_EQ(mean_interval(std::vector<double>{3.0}).half_width, 0.0);
}

TEST(MeanInterval, IsTheSameEachTime) {
  Random random(3);
  const std::vector<double> values = autocorrelated(300, 0.5, random);
  EXPECT_EQ(mean_interval(values).half_width, mean_interval(values).half_width);
}

// A 90 % interval must hold the true mean about 90 times in 100, also when neighbours are alike.
TEST(MeanInterval, CoversTheTrueMeanOfAutocorrelatedSteps) {
  struct Case {
    std::string name;
    std::size_t n;
    double rho;
    double least;
  };
  for (const Case& c : {Case{"independent", 100, 0.0, 0.87}, Case{"independent", 1000, 0.0, 0.87},
                        Case{"alike", 200, 0.5, 0.85}, Case{"alike", 1000, 0.5, 0.86},
                        Case{"very alike", 1000, 0.8, 0.86}, Case{"long", 5000, 0.8, 0.86}}) {
    SCOPED_TRACE(c.name + " " + std::to_string(c.n));
    Random random(11);
    const int repeats = 400;
    int covered = 0;
    for (int i = 0; i < repeats; ++i) {
      const std::vector<double> values = autocorrelated(c.n, c.rho, random);
      const MeanInterval got = mean_interval(values, {.resamples = 200});
      if (std::abs(got.mean - 100) <= got.half_width) ++covered;
    }
    EXPECT_GE(static_cast<double>(covered) / repeats, c.least);
    EXPECT_LE(static_cast<double>(covered) / repeats, 0.96);
  }
}

TEST(StepComparison, RarelyCallsNoiseADifference) {
  for (const double rho : {0.0, 0.6}) {
    SCOPED_TRACE(rho);
    Random random(5);
    int alarms = 0;
    for (int i = 0; i < 400; ++i) {
      const auto got =
          compare_means(autocorrelated(500, rho, random), autocorrelated(500, rho, random),
                        {.confidence = 0.95, .resamples = 200});
      ASSERT_TRUE(got.has_value());
      if (got->more_than_noise) ++alarms;
    }
    EXPECT_LE(alarms, 400 * 8 / 100);
  }
}

TEST(StepComparison, FindsARealSpeedUpWithItsInterval) {
  Random random(8);
  const auto got =
      compare_means(autocorrelated(800, 0.5, random, 412), autocorrelated(600, 0.5, random, 194.6));
  ASSERT_TRUE(got.has_value());
  EXPECT_TRUE(got->more_than_noise);
  EXPECT_LT(got->p_value, 0.001);
  EXPECT_LT(got->speedup_low, 412 / 194.6);
  EXPECT_GT(got->speedup_high, 412 / 194.6);
  EXPECT_LT(got->difference_low, -217.4);
  EXPECT_GT(got->difference_high, -217.4);
  EXPECT_LT(got->detectable_ratio, 0.02);
}

TEST(StepComparison, NeedsValuesOnBothSides) {
  const std::vector<double> few{1, 2, 3};
  const std::vector<double> many(50, 2.0);
  EXPECT_FALSE(compare_means(few, many).has_value());
  EXPECT_FALSE(compare_means(many, std::vector<double>(50, 0.0)).has_value());
  const auto same = compare_means(many, many);
  ASSERT_TRUE(same.has_value());
  EXPECT_FALSE(same->more_than_noise);
  EXPECT_DOUBLE_EQ(same->p_value, 1);
}

TEST(StepComparison, LeavesOutWarmUp) {
  std::vector<model::Step> steps(20);
  for (model::Step& step : steps) step.wall_ns = 1000;
  steps[0].wall_ns = 1'000'000;
  steps[0].flags = model::StepFlags::kWarmup;
  const auto got = compare_steps(steps, steps);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got->before_count, 19U);
  EXPECT_DOUBLE_EQ(got->before_mean, 1000);
}

}  // namespace
}  // namespace latido::analysis
