#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

RunFacts single_threaded_run() {
  RunFacts facts = steady_run();
  facts.resources.main_cpu_cores = 1.0;
  facts.resources.run_cpu_cores = 1.0;
  facts.resources.cpu_busy_cores = 1.1;
  return facts;
}

RunFacts single_threaded_program() {
  RunFacts facts = plain_program();
  facts.resources.main_cpu_cores = 0.98;
  facts.resources.run_cpu_cores = 0.99;
  facts.resources.cpu_busy_cores = 1.1;
  return facts;
}

TEST(OneCoreBound, FiresWhenATrainingComputesOnOneCore) {
  expect_cases(check_one_core_bound, single_threaded_run(),
               {
                   {"positive", [](RunFacts&) {}, true},
                   {"boundary", [](RunFacts& f) { f.resources.main_cpu_cores = 1.2; }, true},
                   {"near miss: more than one",
                    [](RunFacts& f) { f.resources.main_cpu_cores = 1.21; }, false},
                   {"near miss: less than one",
                    [](RunFacts& f) { f.resources.main_cpu_cores = 0.69; }, false},
                   {"near miss: no core is idle",
                    [](RunFacts& f) { f.resources.cpu_busy_cores = 7.3; }, false},
                   {"near miss: operations too small to share",
                    [](RunFacts& f) {
                      const auto resources = f.resources;
                      f = steady_run({.wait_ms = 0.2,
                                      .forward_ms = 7,
                                      .backward_ms = 10,
                                      .optimizer_ms = 2,
                                      .other_ms = 0.2});
                      f.resources = resources;
                    },
                    false},
                   {"near miss: a device computes",
                    [](RunFacts& f) { f.ranks.front().phases[1].mean_ns = 2 * kMs; }, false},
                   {"not sampled", [](RunFacts& f) { f.resources.main_cpu_cores.reset(); }, false},
               });
}

TEST(OneCoreBound, FiresForAProgramWithoutSteps) {
  expect_cases(
      check_one_core_bound, single_threaded_program(),
      {
          {"positive", [](RunFacts&) {}, true},
          {"with its zones",
           [](RunFacts& f) {
             f.ranks.front().zones = {
                 {.name = "merge", .file = {}, .self_ns = 1},
                 {.name = "groupby", .file = "job.py", .line = 31, .self_ns = 12'000 * kMs}};
           },
           true},
          {"boundary: five seconds", [](RunFacts& f) { f.run.end_ns = 5'000 * kMs; }, true},
          {"near miss: over at once", [](RunFacts& f) { f.run.end_ns = 4'999 * kMs; }, false},
          {"near miss: it mostly waits", [](RunFacts& f) { f.resources.run_cpu_cores = 0.5; },
           false},
          {"near miss: several processes", [](RunFacts& f) { f.resources.run_cpu_cores = 3; },
           false},
      });
}

TEST(OneCoreBound, PromisesNothingButSaysWhatItCouldBeAtBest) {
  const analysis::RunFacts facts = single_threaded_run();
  const auto finding = check_one_core_bound(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(number(finding->action, "threads_after"), 8);
  EXPECT_FALSE(finding->gain.has_value()) << "threads may gain nothing, or nearly all";
  const model::Message* best = find_message(*finding, "interval.up_to");
  ASSERT_NE(best, nullptr);
  const auto step_ns = static_cast<double>(facts.ranks.front().stats.mean_ns);
  EXPECT_NEAR(number(*best, "best_ns") / kMs, step_ns / kMs - 90 * 7 / 8.0, 0.5);
  EXPECT_NEAR(number(*best, "factor"), step_ns / number(*best, "best_ns"), 0.06);
  EXPECT_GT(finding->run_saved_ratio, 0.2) << "ranked by half of it";
}

}  // namespace
}  // namespace latido::diagnosis
