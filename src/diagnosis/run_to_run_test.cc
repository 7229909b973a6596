#include "diagnosis/run_to_run.h"

#include <gtest/gtest.h>

#include <string_view>

#include "diagnosis/facts_fixture.h"

namespace latido::diagnosis {
namespace {

analysis::StepComparison measured(double speedup) {
  return {.before_count = 400,
          .after_count = 400,
          .before_mean = 100e6,
          .after_mean = 100e6 / speedup,
          .difference = 100e6 / speedup - 100e6,
          .difference_low = 100e6 / speedup - 101e6,
          .difference_high = 100e6 / speedup - 99e6,
          .speedup = speedup,
          .speedup_low = speedup / 1.01,
          .speedup_high = speedup * 1.01,
          .p_value = 0.0001,
          .more_than_noise = true,
          .detectable_ratio = 0.01};
}

TEST(RunToRun, LeavesOnlyWhatCircumstancesDoNotExplain) {
  struct Case {
    std::string_view name;
    double speedup;
    RunToRun spread;
    bool tells;
  };
  const Case cases[] = {
      {"nothing to allow for", 1.05, {}, true},
      {"faster, by less than the spread", 1.21, {1.25, 1.25}, false},
      {"faster, at the boundary", 1.26, {1.25, 1.25}, false},
      {"faster, by more", 1.27, {1.25, 1.25}, true},
      {"slower, by less", 1 / 1.21, {1.25, 1.25}, false},
      {"slower, by more", 1 / 1.27, {1.25, 1.25}, true},
      {"slower, and only the run before was held back", 1 / 1.05, {1.5, 1}, true},
      {"slower, and the run after was held back", 1 / 1.05, {1, 1.5}, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const analysis::StepComparison got = widened(measured(c.speedup), c.spread);
    EXPECT_EQ(got.more_than_noise, c.tells);
    EXPECT_EQ(got.p_value < 0.05, c.tells) << got.p_value;
    EXPECT_LE(got.difference_low, got.difference);
    EXPECT_GE(got.difference_high, got.difference);
    EXPECT_EQ(got.speedup, c.speedup) << "what was measured stays";
  }
}

TEST(RunToRun, CostsNothingWhereOthersTakeNothing) {
  EXPECT_EQ(contention_cost(plain_program()), 0);
  analysis::RunFacts facts = steady_run();
  facts.resources.cpu_busy_cores = facts.resources.run_cpu_cores;
  EXPECT_EQ(contention_cost(facts), 0);
  facts.resources.cpu_busy_cores = 8.0;
  facts.resources.run_cpu_cores = 4.0;
  facts.resources.main_cpu_cores = 1.0;
  facts.ranks.front().core_wait_ratio = 0.35;
  // 4 of the 7 other cores are others'; and cores may be slower with all of them busy.
  EXPECT_NEAR(contention_cost(facts), 0.35 * 4 / 7 + 0.375, 0.001);
}

TEST(RunToRun, EachSideWidensItsOwnEnd) {
  const RunToRun before = run_to_run(0.2, 0, false);
  EXPECT_NEAR(before.slower, 1.25, 1e-9);
  EXPECT_NEAR(before.faster, 1, 1e-9);
  const RunToRun again = run_to_run(0, 0, true);
  EXPECT_NEAR(again.slower, 1.25, 1e-9);
  EXPECT_NEAR(again.faster, 1.25, 1e-9);
}

}  // namespace
}  // namespace latido::diagnosis
