#include "agent/tick_clock.h"

#include <gtest/gtest.h>

namespace latido::agent {
namespace {

constexpr std::uint64_t kWrap = 1ULL << capture::kTickBits;

// 2.5 ticks a nanosecond, anchors a second apart.
TickClock clock_at(std::uint64_t start_ticks) {
  return {{start_ticks, 1'000}, {start_ticks + 2'500'000'000, 1'000'001'000}};
}

TEST(TickClock, PlacesTicksOnTheLineThroughTheAnchors) {
  const TickClock clock = clock_at(10'000);
  EXPECT_EQ(clock.to_ns(10'000), 1'000);
  EXPECT_EQ(clock.to_ns(10'000 + 1'250'000'000), 500'001'000);
  EXPECT_EQ(clock.to_ns(10'000 + 2'500'000'000), 1'000'001'000);
}

TEST(TickClock, UnwrapsToTheNearestTickBeforeOrAfterTheAnchor) {
  const std::uint64_t start = 5 * kWrap - 1'000'000'000;  // the wrap lies between the anchors
  const TickClock clock = clock_at(start);
  for (const std::uint64_t whole :
       {start + 5, start + 999'999'999, start + 1'000'000'001, start + 2'600'000'000}) {
    EXPECT_EQ(clock.unwrap(whole & capture::kTickMask), whole);
  }
}

TEST(TickClock, FollowsAChangedRate) {
  TickClock clock = clock_at(0);
  clock.add(
      {2'500'000'000 + 2'502'500'000, 2'000'001'000});  // 0.1 % more ticks in the second second
  EXPECT_EQ(clock.to_ns(2'500'000'000 + 1'251'250'000), 1'500'001'000);
}

TEST(TickClock, IgnoresAnchorsTooCloseToCarryARate) {
  TickClock clock = clock_at(0);
  clock.add({2'500'000'001, 1'000'001'001});
  EXPECT_EQ(clock.to_ns(2'500'000'000), 1'000'001'000);
}

TEST(ReadAnchor, MonotonicTicksAreNanoseconds) {
  const Anchor anchor = read_anchor(capture::ClockKind::kMonotonicNs);
  EXPECT_NEAR(static_cast<double>(anchor.ticks), static_cast<double>(anchor.ns), 1e6);
}

}  // namespace
}  // namespace latido::agent
