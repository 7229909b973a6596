#include "analysis/step_series.h"

#include <gtest/gtest.h>

#include "analysis/warmup.h"

namespace latido::analysis {
namespace {

FoundStep step_at(std::int64_t number) {
  FoundStep found;
  found.step.start_ns = number * 100;
  found.step.wall_ns = 100 + number % 7;
  found.step.samples = 3;
  found.loader = number % 10 == 0 ? 2 : 1;
  return found;
}

TEST(StepSeries, KeepsEachStrideThStepAndExactSums) {
  StepSeries series(100);
  std::int64_t wall_ns = 0;
  for (std::int64_t i = 0; i < 5000; ++i) {
    series.add(step_at(i));
    wall_ns += 100 + i % 7;
  }
  EXPECT_EQ(series.count(), 5000U);
  EXPECT_EQ(series.sums().wall_ns, wall_ns);
  EXPECT_EQ(series.sums().samples, 15'000U);
  EXPECT_EQ(series.stride(), 64U);
  ASSERT_EQ(series.kept().size(), 79U);
  for (std::size_t i = 0; i < series.kept().size(); ++i) {
    EXPECT_EQ(series.kept()[i].start_ns, static_cast<std::int64_t>(i * series.stride()) * 100);
  }
  EXPECT_EQ(series.head().size(), kWarmupLookAhead);
  EXPECT_EQ(series.last_end_ns(), 4999 * 100 + 100 + 4999 % 7);
}

TEST(StepSeries, ALowerLimitThinsWhatIsThere) {
  StepSeries series(1000);
  for (std::int64_t i = 0; i < 1000; ++i) series.add(step_at(i));
  EXPECT_EQ(series.stride(), 1U);
  series.set_limit(300);
  EXPECT_EQ(series.stride(), 4U);
  EXPECT_EQ(series.kept().size(), 250U);
}

TEST(StepSeries, CountsTheLoadersThatFeedIt) {
  StepSeries series(1000);
  for (std::int64_t i = 0; i < 100; ++i) series.add(step_at(i));
  ASSERT_EQ(series.loaders().size(), 2U);
  EXPECT_EQ(series.loaders()[0].steps, 10U);
  EXPECT_EQ(series.loaders()[1].steps, 90U);
}

}  // namespace
}  // namespace latido::analysis
