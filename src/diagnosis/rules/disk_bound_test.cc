#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

// 60 of 100 ms a step wait for two workers that read from a disk.
RunFacts reading_run() {
  RunFacts facts = steady_run(
      {.wait_ms = 60, .forward_ms = 12, .backward_ms = 22, .optimizer_ms = 4, .other_ms = 2});
  add_loader(facts, 2, 200, 0.99, 0.1);
  facts.resources.disk_busy_ratio = 0.97;
  facts.resources.main_cpu_cores = 0.4;
  facts.resources.cpu_busy_cores = 0.8;
  facts.resources.run_cpu_cores = 0.7;
  return facts;
}

RunFacts copying_program() {
  RunFacts facts = plain_program();
  facts.resources.disk_busy_ratio = 0.95;
  facts.resources.cpu_iowait_ratio = 0.9;
  facts.resources.psi_io_full_ratio = 0.7;
  facts.resources.run_cpu_cores = 0.2;
  facts.resources.cpu_busy_cores = 0.3;
  return facts;
}

TEST(DiskBound, FiresWhenBatchesWaitForABusyDisk) {
  expect_cases(
      check_disk_bound, reading_run(),
      {
          {"positive", [](RunFacts&) {}, true},
          {"boundary", [](RunFacts& f) { f.resources.disk_busy_ratio = 0.80; }, true},
          {"near miss: the disk has room", [](RunFacts& f) { f.resources.disk_busy_ratio = 0.79; },
           false},
          {"near miss: workers compute",
           [](RunFacts& f) {
             for (auto& worker : f.ranks.front().workers) worker.cpu_ratio = 0.9;
           },
           false},
          {"near miss: the step does not wait",
           [](RunFacts& f) { f.ranks.front().phases[0].mean_ns = 5 * kMs; }, false},
          {"disk not sampled", [](RunFacts& f) { f.resources.disk_busy_ratio.reset(); }, false},
          {"workers' time not split",
           [](RunFacts& f) {
             for (auto& worker : f.ranks.front().workers) worker.cpu_ratio.reset();
           },
           false},
      });
}

TEST(DiskBound, PredictsTheStepWithDataInMemory) {
  const auto finding = check_disk_bound(reading_run(), {});
  ASSERT_TRUE(finding.has_value());
  // 20 ms of processor time a batch on two workers hide behind the 40 ms of computing.
  EXPECT_NEAR(static_cast<double>(finding->gain->step_after_ns) / kMs, 40.5, 1.5);
}

TEST(DiskBound, FiresForAProgramThatStandsStill) {
  expect_cases(check_disk_bound, copying_program(),
               {
                   {"positive", [](RunFacts&) {}, true},
                   {"boundary of the stall",
                    [](RunFacts& f) {
                      f.resources.psi_io_full_ratio = 0.20;
                      f.resources.cpu_iowait_ratio = 0;
                    },
                    true},
                   {"near miss: hardly stalls",
                    [](RunFacts& f) {
                      f.resources.psi_io_full_ratio = 0.19;
                      f.resources.cpu_iowait_ratio = 0.49;
                    },
                    false},
                   {"near miss: it computes meanwhile",
                    [](RunFacts& f) { f.resources.run_cpu_cores = 1.0; }, false},
                   {"near miss: the disk has room",
                    [](RunFacts& f) { f.resources.disk_busy_ratio = 0.5; }, false},
               });
}

TEST(DiskBound, TellsWritingFromReading) {
  RunFacts facts = copying_program();
  facts.resources.disk_read_bytes_per_s = 1e8;
  facts.resources.disk_write_bytes_per_s = 1e6;
  EXPECT_EQ(check_disk_bound(facts, {})->action.id, "disk_bound.action");
  facts.resources.disk_write_bytes_per_s = 2e8;
  EXPECT_EQ(check_disk_bound(facts, {})->action.id, "disk_bound.action_write");
}

}  // namespace
}  // namespace latido::diagnosis
