#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

RunFacts throttled_run() {
  RunFacts facts = steady_run();
  facts.resources.cores = 2;
  facts.resources.cgroup_throttled_ratio = 0.6;
  facts.resources.run_cpu_cores = 2.0;
  return facts;
}

TEST(CpuThrottled, FiresWhenTheQuotaIsFelt) {
  expect_cases(
      check_cpu_throttled, throttled_run(),
      {
          {"positive", [](RunFacts&) {}, true},
          {"boundary", [](RunFacts& f) { f.resources.cgroup_throttled_ratio = 0.10; }, true},
          {"near miss", [](RunFacts& f) { f.resources.cgroup_throttled_ratio = 0.099; }, false},
          {"no quota", [](RunFacts& f) { f.resources.cgroup_throttled_ratio.reset(); }, false},
      });
}

TEST(CpuThrottled, GivesBackAPartOfEachPeriodThatWasCut) {
  const auto finding = check_cpu_throttled(throttled_run(), {});
  ASSERT_TRUE(finding && finding->gain);
  const auto before = static_cast<double>(finding->gain->step_before_ns);
  EXPECT_NEAR(static_cast<double>(finding->gain->step_after_ns) / before, 1 - 0.6 * 0.35, 1e-6);
  EXPECT_NEAR(static_cast<double>(finding->gain->low_ns) / before, 1 - 0.6 * 0.70, 1e-3);
}

TEST(CpuThrottled, WorksWithoutSteps) {
  RunFacts facts = plain_program();
  facts.resources.cgroup_throttled_ratio = 0.5;
  EXPECT_TRUE(check_cpu_throttled(facts, {}).has_value());
}

}  // namespace
}  // namespace latido::diagnosis
