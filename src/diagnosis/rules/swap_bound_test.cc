#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

RunFacts swapping_run() {
  RunFacts facts = steady_run();
  facts.resources.swap_in_bytes_per_s = 30e6;
  facts.resources.swap_out_bytes_per_s = 10e6;
  facts.resources.major_faults_per_s = 900;
  facts.resources.psi_memory_full_ratio = 0.3;
  return facts;
}

TEST(SwapBound, FiresWhenPagesComeBack) {
  expect_cases(check_swap_bound, swapping_run(),
               {
                   {"positive", [](RunFacts&) {}, true},
                   {"boundary of the rate",
                    [](RunFacts& f) {
                      f.resources.swap_in_bytes_per_s = 1e6;
                      f.resources.swap_out_bytes_per_s = 0;
                    },
                    true},
                   {"boundary of the faults",
                    [](RunFacts& f) {
                      f.resources.major_faults_per_s = 100;
                      f.resources.psi_memory_full_ratio.reset();
                    },
                    true},
                   {"near miss: a trickle",
                    [](RunFacts& f) {
                      f.resources.swap_in_bytes_per_s = 5e5;
                      f.resources.swap_out_bytes_per_s = 4e5;
                    },
                    false},
                   {"near miss: pages go out and stay out",
                    [](RunFacts& f) {
                      f.resources.major_faults_per_s = 99;
                      f.resources.psi_memory_full_ratio = 0.01;
                    },
                    false},
                   {"nothing sampled", [](RunFacts& f) { f.resources = {}; }, false},
               });
}

TEST(SwapBound, GivesBackTheStalledTime) {
  const auto finding = check_swap_bound(swapping_run(), {});
  ASSERT_TRUE(finding && finding->gain);
  EXPECT_NEAR(static_cast<double>(finding->gain->saved_ns()) /
                  static_cast<double>(finding->gain->step_before_ns),
              0.3, 1e-6);
}

TEST(SwapBound, WorksWithoutSteps) {
  RunFacts facts = plain_program();
  facts.resources = swapping_run().resources;
  const auto finding = check_swap_bound(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_FALSE(finding->gain.has_value());
  EXPECT_DOUBLE_EQ(finding->run_saved_ratio, 0.3);
}

}  // namespace
}  // namespace latido::diagnosis
