#include "analysis/time_bins.h"

#include <gtest/gtest.h>

namespace latido::analysis {
namespace {

TEST(TimeBins, KnowHowMuchOfAWindowWasBusy) {
  TimeBins bins;
  // 3 ms of each 10 ms, over 20 s.
  for (std::int64_t i = 0; i < 2000; ++i) bins.add(i * 10'000'000, i * 10'000'000 + 3'000'000);
  const TimeBins::Sum all = bins.within(0, 20'000'000'000);
  EXPECT_NEAR(all.busy_ns, 6e9, 1e3);
  EXPECT_NEAR(all.count, 2000, 1e-6);
  const TimeBins::Sum half = bins.within(5'000'000'000, 15'000'000'000);
  EXPECT_NEAR(half.busy_ns / 10e9, 0.3, 0.002);
  EXPECT_NEAR(half.count, 1000, 4);
}

TEST(TimeBins, TakeOneStretchLongerThanAllBins) {
  TimeBins bins;
  bins.add(1000, 1000 + 3'600'000'000'000);
  EXPECT_NEAR(bins.within(0, 7'200'000'000'000).busy_ns, 3.6e12, 1e3);
  EXPECT_NEAR(bins.within(0, 7'200'000'000'000).count, 1, 1e-9);
}

TEST(TimeBins, AreCoarserButCompleteWhenCompacted) {
  TimeBins bins;
  for (std::int64_t i = 0; i < 500; ++i) bins.add(i * 10'000'000, i * 10'000'000 + 5'000'000);
  bins.compact(16);
  EXPECT_NEAR(bins.within(0, 10'000'000'000).busy_ns, 2.5e9, 1e3);
  EXPECT_NEAR(bins.within(0, 10'000'000'000).count, 500, 1e-6);
  bins.add(6'000'000'000, 6'001'000'000);
  EXPECT_NEAR(bins.within(0, 10'000'000'000).count, 501, 1e-6);
}

TEST(TimeBins, TakeStretchesFromBeforeTheFirst) {
  TimeBins bins;
  bins.add(10'000'000, 11'000'000);
  bins.add(0, 10'500'000);
  EXPECT_NEAR(bins.within(0, 20'000'000).count, 2, 1e-9);
  EXPECT_DOUBLE_EQ(TimeBins().within(0, 100).busy_ns, 0);
}

}  // namespace
}  // namespace latido::analysis
