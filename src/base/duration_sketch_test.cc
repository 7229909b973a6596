#include "base/duration_sketch.h"

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace latido {
namespace {

void expect_near(std::int64_t got_ns, double want_ns, const char* what) {
  EXPECT_NEAR(static_cast<double>(got_ns), want_ns, want_ns * DurationSketch::kRelativeError + 0.5)
      << what;
}

TEST(DurationSketch, QuantilesAreWithinTheRelativeError) {
  DurationSketch sketch;
  for (std::int64_t i = 1; i <= 100'000; ++i) sketch.add(i * 100);
  EXPECT_EQ(sketch.count(), 100'000U);
  expect_near(sketch.quantile_ns(0), 100, "the least");
  expect_near(sketch.quantile_ns(0.5), 5e6, "p50");
  expect_near(sketch.quantile_ns(0.95), 9.5e6, "p95");
  expect_near(sketch.quantile_ns(0.99), 9.9e6, "p99");
  expect_near(sketch.quantile_ns(1), 1e7, "the most");
}

TEST(DurationSketch, OfNothingIsZero) { EXPECT_EQ(DurationSketch{}.quantile_ns(0.5), 0); }

TEST(DurationSketch, TakesAnyNumber) {
  DurationSketch sketch;
  sketch.add(-5);
  sketch.add(0);
  sketch.add(std::numeric_limits<std::int64_t>::max());
  EXPECT_EQ(sketch.count(), 3U);
  expect_near(sketch.quantile_ns(0.5), 1, "below the range");
  EXPECT_GT(sketch.quantile_ns(1), 9'000'000'000'000);
}

TEST(DurationSketch, SumsAreThoseOfOneSketch) {
  DurationSketch low;
  DurationSketch high;
  DurationSketch both;
  for (std::int64_t i = 1; i <= 1000; ++i) {
    low.add(i);
    high.add(i * 1'000'000);
    both.add(i);
    both.add(i * 1'000'000);
  }
  high.add(low);
  high.add(DurationSketch{});
  EXPECT_EQ(high.count(), both.count());
  for (const double q : {0.0, 0.25, 0.5, 0.75, 0.99}) {
    EXPECT_EQ(high.quantile_ns(q), both.quantile_ns(q)) << q;
  }
}

}  // namespace
}  // namespace latido
