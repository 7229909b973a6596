#include "session/overhead.h"

#include <gtest/gtest.h>

namespace latido::session {
namespace {

TEST(EstimateOverhead, AddsRecordsAndTheAgentsShareOfTheMachine) {
  // 10,000 records of 300 ns are 3 ms; 20 ms of agent on two cores are 10 ms: 13 ms of a second.
  EXPECT_NEAR(
      estimate_overhead_ratio(
          {.records = 10'000, .agent_cpu_ns = 20'000'000, .wall_ns = 1'000'000'000, .cores = 2}),
      0.013, 1e-9);
}

TEST(EstimateOverhead, StaysARatio) {
  EXPECT_EQ(estimate_overhead_ratio({}), 0);
  EXPECT_EQ(
      estimate_overhead_ratio({.records = 1U << 30U, .agent_cpu_ns = 0, .wall_ns = 1, .cores = 0}),
      1);
}

}  // namespace
}  // namespace latido::session
