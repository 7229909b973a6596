#include "agent/recording_cost.h"

#include <gtest/gtest.h>

namespace latido::agent {
namespace {

TEST(EstimateOverhead, AddsRecordsAndTheAgentsShareOfTheMachine) {
  // The agent's 20 ms on two cores are 10 ms of a second, at most 20, at least none.
  const RecordingCost agent_only{
      .records = 0, .agent_cpu_ns = 20'000'000, .wall_ns = 1'000'000'000, .cores = 2};
  EXPECT_NEAR(estimate_overhead(agent_only).ratio, 0.010, 1e-9);
  EXPECT_NEAR(estimate_overhead(agent_only).high_ratio, 0.020, 1e-9);
  EXPECT_EQ(estimate_overhead(agent_only).low_ratio, 0);

  RecordingCost with_records = agent_only;
  with_records.records = 10'000;
  const Overhead one = estimate_overhead(with_records);
  with_records.records = 20'000;
  const Overhead two = estimate_overhead(with_records);
  EXPECT_NEAR(two.ratio - one.ratio, one.ratio - 0.010, 1e-9);
  EXPECT_NEAR(two.low_ratio, 2 * one.low_ratio, 1e-12);
}

TEST(EstimateOverhead, FunctionsCostLessThanHooks) {
  const RecordingCost hooks{.records = 10'000, .wall_ns = 1'000'000'000};
  RecordingCost functions = hooks;
  functions.function_records = 10'000;
  EXPECT_NEAR(estimate_overhead(functions).ratio, 10'000 * 60e-9, 1e-9);
  EXPECT_LT(estimate_overhead(functions).ratio, estimate_overhead(hooks).ratio);
  EXPECT_EQ(estimate_overhead(functions).low_ratio, estimate_overhead(hooks).low_ratio);
  functions.function_records = 20'000;
  EXPECT_NEAR(estimate_overhead(functions).ratio, 10'000 * 60e-9, 1e-9) << "more than there are";
}

TEST(EstimateOverhead, LiesWithinItsInterval) {
  for (const std::uint64_t records : {0ULL, 1ULL, 1'000'000ULL, 1ULL << 40U}) {
    for (const std::uint32_t cores : {0U, 1U, 96U}) {
      const Overhead overhead = estimate_overhead({.records = records,
                                                   .agent_cpu_ns = 5'000'000,
                                                   .wall_ns = 1'000'000'000,
                                                   .cores = cores});
      EXPECT_LE(overhead.low_ratio, overhead.ratio);
      EXPECT_LE(overhead.ratio, overhead.high_ratio);
      EXPECT_LE(overhead.high_ratio, 1);
    }
  }
}

TEST(EstimateOverhead, IsNothingForARunThatTookNoTime) {
  EXPECT_EQ(estimate_overhead({.records = 5, .agent_cpu_ns = 5}).high_ratio, 0);
}

}  // namespace
}  // namespace latido::agent
