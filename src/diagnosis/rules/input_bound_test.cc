#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

// 60 ms wait, 40 ms the rest.
StepParts starved() {
  return {.wait_ms = 60, .forward_ms = 12, .backward_ms = 22, .optimizer_ms = 4, .other_ms = 2};
}

analysis::RunFacts inline_run() {
  analysis::RunFacts facts = steady_run(starved());
  add_loader(facts, 0, 60);
  facts.resources.main_cpu_cores = 1.0;
  facts.resources.run_cpu_cores = 1.0;
  facts.resources.cpu_busy_cores = 1.1;
  return facts;
}

analysis::RunFacts busy_workers_run() {
  analysis::RunFacts facts = steady_run(starved());
  add_loader(facts, 2, 200);
  facts.resources.main_cpu_cores = 0.4;
  facts.resources.run_cpu_cores = 2.4;
  facts.resources.cpu_busy_cores = 2.5;
  return facts;
}

TEST(InputBound, FiresAtItsThresholdAndNotBelow) {
  struct Case {
    std::string_view name;
    StepParts parts;
    bool want;
  };
  const Case cases[] = {
      {"positive",
       {.wait_ms = 60, .forward_ms = 40, .backward_ms = 0, .optimizer_ms = 0, .other_ms = 0},
       true},
      {"boundary",
       {.wait_ms = 10, .forward_ms = 90, .backward_ms = 0, .optimizer_ms = 0, .other_ms = 0},
       true},
      {"near miss",
       {.wait_ms = 9.9, .forward_ms = 90.1, .backward_ms = 0, .optimizer_ms = 0, .other_ms = 0},
       false},
      {"no wait", {.wait_ms = 0}, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(check_input_bound(steady_run(c.parts), {}).has_value(), c.want);
  }
}

TEST(InputBound, SaysNothingWithoutStepsOrWithoutTheHook) {
  EXPECT_FALSE(check_input_bound(plain_program(), {}).has_value());
  analysis::RunFacts unmeasured = steady_run(starved());
  unmeasured.ranks.front().phases[0].mean_ns = model::kNotMeasured;
  EXPECT_FALSE(check_input_bound(unmeasured, {}).has_value());
}

TEST(InputBound, EveryMessageIsListedAndEveryEvidenceHasItsTime) {
  analysis::RunFacts unseen = steady_run(starved());
  analysis::RunFacts io = busy_workers_run();
  for (auto& worker : io.ranks.front().workers) worker.cpu_ratio = 0.05;
  analysis::RunFacts idle = busy_workers_run();
  for (auto& worker : idle.ranks.front().workers) worker.busy_ratio = 0.4;
  analysis::RunFacts unsampled = inline_run();
  unsampled.resources = {};
  analysis::RunFacts fetched = idle;
  fetched.ranks.front().loader->queue_empty = 0;
  for (const auto& facts :
       {inline_run(), busy_workers_run(), unseen, io, idle, fetched, unsampled}) {
    const auto finding = check_input_bound(facts, {});
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(mismatches(*finding), "") << finding->headline.id;
  }
}

TEST(InputBound, NamesTheCause) {
  struct Case {
    std::string_view name;
    analysis::RunFacts facts;
    std::string_view headline;
    std::string_view action;
  };
  analysis::RunFacts full = busy_workers_run();
  full.resources.cores = 2;
  full.resources.cpu_busy_cores = 2.0;
  full.resources.run_cpu_cores = 2.0;
  for (auto& worker : full.ranks.front().workers) worker.cpu_ratio = 0.8;
  analysis::RunFacts io = busy_workers_run();
  for (auto& worker : io.ranks.front().workers) worker.cpu_ratio = 0.05;
  io.resources.disk_busy_ratio.reset();
  analysis::RunFacts idle = busy_workers_run();
  for (auto& worker : idle.ranks.front().workers) worker.busy_ratio = 0.4;
  analysis::RunFacts fetched = idle;
  fetched.ranks.front().loader->queue_empty = 40;
  analysis::RunFacts cheap = fetched;
  cheap.ranks.front().loader->made_mean_ns = 5 * kMs;
  const Case cases[] = {
      {"in the training process", inline_run(), "input_bound.inline",
       "input_bound.action.set_workers"},
      {"busy workers", busy_workers_run(), "input_bound.workers_busy",
       "input_bound.action.set_workers"},
      {"two cores, all taken", full, "input_bound.cores_full",
       "input_bound.action.cheaper_batches"},
      {"workers wait for data", io, "input_bound.workers_wait_io",
       "input_bound.action.set_workers"},
      {"uneven batches", idle, "input_bound.workers_idle", "input_bound.action.even_batches"},
      {"cheap batches, ready but fetched", cheap, "input_bound.transfer",
       "input_bound.action.set_workers"},
      {"dear batches, ready but fetched", fetched, "input_bound.transfer",
       "input_bound.action.less_to_hand_over"},
      {"nothing seen of the loader", steady_run(starved()), "input_bound.waits",
       "input_bound.action.look_inside"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto finding = check_input_bound(c.facts, {});
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(finding->headline.id, c.headline);
    EXPECT_EQ(finding->action.id, c.action);
    if (finding->action.id == "input_bound.action.look_inside") {
      EXPECT_FALSE(finding->gain.has_value()) << "looking makes nothing faster";
      EXPECT_GT(finding->run_saved_ratio, 0.2);
      continue;
    }
    ASSERT_TRUE(finding->gain.has_value());
    EXPECT_LE(finding->gain->low_ns, finding->gain->step_after_ns);
    EXPECT_GE(finding->gain->high_ns, finding->gain->step_after_ns);
    EXPECT_LT(finding->gain->step_after_ns, finding->gain->step_before_ns);
  }
}

TEST(InputBound, PredictsTheStepWithWorkers) {
  const auto finding = check_input_bound(inline_run(), {});
  ASSERT_TRUE(finding.has_value());
  // 60 ms of making by 2 workers hide behind 40 ms of computing.
  EXPECT_EQ(number(finding->action, "workers_after"), 2);
  EXPECT_EQ(finding->gain->step_before_ns, 100 * kMs);
  EXPECT_NEAR(static_cast<double>(finding->gain->step_after_ns) / kMs, 40.5, 1.0);
  EXPECT_NE(find_message(*finding, "input_bound.limit.compute"), nullptr);
  EXPECT_NE(find_message(*finding, "input_bound.limit.then_compute"), nullptr);
  EXPECT_NE(find_message(*finding, "input_bound.evidence.disk_not_cause"), nullptr);
}

TEST(InputBound, OnTwoCoresWorkersSlowTheTrainingDown) {
  analysis::RunFacts facts = inline_run();
  facts.resources.cores = 2;
  facts.resources.main_cpu_cores = (60 * 1 + 40 * 2) / 100.0;  // the training uses both cores
  facts.resources.run_cpu_cores = facts.resources.main_cpu_cores;
  facts.resources.cpu_busy_cores = facts.resources.main_cpu_cores;
  const auto finding = check_input_bound(facts, {});
  ASSERT_TRUE(finding.has_value());
  // 60 + 80 core-milliseconds on two cores could take 70. But its threads wait for the slowest of them,
  // so that a worker costs more than it gains.
  EXPECT_EQ(finding->action.id, "input_bound.action.cheaper_batches");
  EXPECT_NE(find_message(*finding, "input_bound.limit.no_worker"), nullptr);
}

TEST(InputBound, DoesNotAskForMoreWorkersThanADiskCanServe) {
  analysis::RunFacts facts = busy_workers_run();
  for (auto& worker : facts.ranks.front().workers) worker.cpu_ratio = 0.05;
  facts.resources.disk_busy_ratio = 0.5;
  const auto finding = check_input_bound(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(number(finding->action, "workers_after"), 4);
  EXPECT_NE(find_message(*finding, "input_bound.limit.disk"), nullptr);
}

TEST(InputBound, DoesNotTakeACrowdedMachineForASlowDisk) {
  analysis::RunFacts facts = inline_run();
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 2.0;
  facts.resources.run_cpu_cores = 0.2;  // starved by others, not waiting for data
  facts.resources.main_cpu_cores = 0.2;
  const auto finding = check_input_bound(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(mismatches(*finding), "");
  EXPECT_EQ(finding->action.id, "input_bound.action.cheaper_batches")
      << "a worker would share the one core that others leave";
  EXPECT_NE(find_message(*finding, "input_bound.limit.cores_taken"), nullptr)
      << "where the cores are is said, not that a worker would be dear";
  EXPECT_EQ(find_message(*finding, "input_bound.limit.cores_full"), nullptr)
      << "there are no workers that there could be more of";
}

// Others keep 1.6 of 2 cores busy; this run makes its batches itself, by waiting for them (measured: a user's
// run that 4 workers made 4.3 times faster).
analysis::RunFacts waiting_inline_run() {
  analysis::RunFacts facts = steady_run(
      {.wait_ms = 430, .forward_ms = 20, .backward_ms = 25, .optimizer_ms = 5, .other_ms = 2});
  add_loader(facts, 0, 430);
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 1.9;
  facts.resources.run_cpu_cores = 0.12;
  facts.resources.main_cpu_cores = 0.12;
  facts.ranks.front().cpu_cores = 0.12;
  facts.ranks.front().core_wait_ratio = 0.1;
  return facts;
}

TEST(InputBound, AdvisesWorkersWhereMakingABatchIsMostlyWaiting) {
  struct Case {
    std::string_view name;
    double cpu_cores;
    double core_wait_ratio;
    std::string_view action;
  };
  const Case cases[] = {
      {"waits", 0.12, 0.1, "input_bound.action.set_workers"},
      {"computes, and others have the core", 0.12, 0.85, "input_bound.action.cheaper_batches"},
      {"computes", 0.5, 0.5, "input_bound.action.cheaper_batches"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = waiting_inline_run();
    facts.ranks.front().cpu_cores = c.cpu_cores;
    facts.ranks.front().core_wait_ratio = c.core_wait_ratio;
    const auto finding = check_input_bound(facts, {});
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(mismatches(*finding), "");
    EXPECT_EQ(finding->headline.id, "input_bound.inline");
    EXPECT_EQ(finding->action.id, c.action);
    EXPECT_EQ(find_message(*finding, "input_bound.limit.no_worker"), nullptr);
  }
  const auto finding = check_input_bound(waiting_inline_run(), {});
  ASSERT_TRUE(finding && finding->gain);
  EXPECT_EQ(number(finding->action, "workers_after"), 4);
  // 430 ms by 4 that wait at the same time, against 482.
  EXPECT_NEAR(static_cast<double>(finding->gain->step_after_ns) / kMs, 112, 20);
  EXPECT_NE(find_message(*finding, "input_bound.evidence.inline_waits"), nullptr);
}

TEST(InputBound, DoesNotCountTheCoresOfOthersAsItsOwn) {
  analysis::RunFacts base = busy_workers_run();
  base.resources.cores = 2;
  base.resources.machine_cores = 2;
  base.resources.cpu_busy_cores = 2.0;
  base.resources.run_cpu_cores = 0.4;
  base.resources.main_cpu_cores = 0.1;
  struct Case {
    std::string_view name;
    double run_cores;
    double cpu_ratio;
    std::optional<double> core_wait_ratio;
    std::string_view headline;
  };
  const Case cases[] = {
      {"others have them, and the workers want them", 0.4, 0.15, 0.8, "input_bound.cores_taken"},
      {"others have them, and the workers wait for data", 0.4, 0.1, 0.2,
       "input_bound.workers_wait_io"},
      {"others have them, and what the workers do is not known", 0.4, 0.15, std::nullopt,
       "input_bound.cores_taken"},
      {"boundary: others have a tenth", 1.799, 0.8, 0.1, "input_bound.cores_taken"},
      {"near miss: others have less", 1.81, 0.8, 0.1, "input_bound.cores_full"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = base;
    facts.resources.run_cpu_cores = c.run_cores;
    for (auto& worker : facts.ranks.front().workers) {
      worker.cpu_ratio = c.cpu_ratio;
      worker.core_wait_ratio = c.core_wait_ratio;
    }
    const auto finding = check_input_bound(facts, {});
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(mismatches(*finding), "");
    EXPECT_EQ(finding->headline.id, c.headline);
  }
}

TEST(InputBound, WidensTheIntervalWhenCoresWereNotSampled) {
  const auto known = check_input_bound(inline_run(), {});
  analysis::RunFacts facts = inline_run();
  facts.resources.main_cpu_cores.reset();
  facts.resources.cores = 2;
  const auto unknown = check_input_bound(facts, {});
  ASSERT_TRUE(known && unknown);
  const auto width = [](const model::Gain& gain) { return gain.high_ns - gain.low_ns; };
  EXPECT_GT(width(*unknown->gain), width(*known->gain));
}

TEST(InputBound, SaysNothingOfIdleCoresWhenThereIsNone) {
  analysis::RunFacts facts = inline_run();
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 1.98;
  const auto none = check_input_bound(facts, {});
  ASSERT_TRUE(none.has_value());
  EXPECT_EQ(none->headline.params.find("idle_cores"), nullptr);
  facts.resources.cpu_busy_cores = 1.1;
  const auto one = check_input_bound(facts, {});
  ASSERT_TRUE(one.has_value());
  EXPECT_NEAR(number(one->headline, "idle_cores"), 0.9, 1e-9);
}

TEST(InputBound, NamesThePageCacheOnlyWhereItExplainsTheQuietDisk) {
  struct Case {
    std::string_view name;
    double chars_per_s;
    double device_per_s;
    bool named;
  };
  const Case cases[] = {{"most reads from memory", 1e6, 6e4, true},
                        {"none", 1e6, 1e6, false},
                        {"mapped files: more from the disk than was asked for", 1e3, 1e6, false},
                        {"a minor part", 1e6, 6e5, false},
                        {"hardly any reads", 0, 0, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = inline_run();
    facts.resources.run_read_chars_per_s = c.chars_per_s;
    facts.resources.run_read_bytes_per_s = c.device_per_s;
    const auto finding = check_input_bound(facts, {});
    ASSERT_TRUE(finding.has_value());
    const model::Message* disk = find_message(*finding, "input_bound.evidence.disk_not_cause");
    ASSERT_NE(disk, nullptr);
    EXPECT_EQ(disk->params.find("cached_ratio") != nullptr, c.named);
  }
}

TEST(InputBound, TheReasonForTheIntervalIsAboutTheIntervalThatIsShown) {
  for (const auto& facts : {inline_run(), busy_workers_run()}) {
    const auto finding = check_input_bound(facts, {});
    ASSERT_TRUE(finding && finding->gain);
    const auto reason = std::ranges::find_if(finding->limits, [](const model::Message& limit) {
      return limit.id.starts_with("interval.");
    });
    ASSERT_NE(reason, finding->limits.end());
    EXPECT_EQ(number(*reason, "low_ns"), static_cast<double>(finding->gain->low_ns));
    EXPECT_EQ(number(*reason, "high_ns"), static_cast<double>(finding->gain->high_ns));
  }
}

TEST(InputBound, LooksAtTheRankThatWaitsLongest) {
  analysis::RunFacts facts = steady_run({.wait_ms = 1});
  analysis::RunFacts slow = inline_run();
  facts.ranks.push_back(slow.ranks.front());
  const auto finding = check_input_bound(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_NEAR(number(finding->headline, "wait_ratio"), 0.6, 1e-9);
}

}  // namespace
}  // namespace latido::diagnosis
