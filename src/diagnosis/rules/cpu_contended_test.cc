#include <gtest/gtest.h>

#include <string_view>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

// Other programs have 3.1 of 8 cores.
RunFacts crowded_run() {
  RunFacts facts = steady_run();
  facts.resources.cpu_busy_cores = 7.9;
  facts.resources.run_cpu_cores = 4.8;
  facts.resources.psi_cpu_some_ratio = 0.45;
  return facts;
}

TEST(CpuContended, FiresWhenOthersHaveTheCores) {
  expect_cases(
      check_cpu_contended, crowded_run(),
      {
          {"positive", [](RunFacts&) {}, true},
          {"boundary", [](RunFacts& f) { f.resources.run_cpu_cores = 7.1; }, true},
          {"near miss: others take little", [](RunFacts& f) { f.resources.run_cpu_cores = 7.2; },
           false},
          {"near miss: cores are left", [](RunFacts& f) { f.resources.cpu_busy_cores = 7.1; },
           false},
          {"near miss: it sleeps", [](RunFacts& f) { f.resources.run_cpu_cores = 0.29; }, false},
          {"not sampled", [](RunFacts& f) { f.resources.run_cpu_cores.reset(); }, false},
      });
}

// Others have 1.8 of 2 cores; what there is of this run stands in line.
RunFacts starved_run() {
  RunFacts facts = steady_run(
      {.wait_ms = 97, .forward_ms = 1, .backward_ms = 1, .optimizer_ms = 0.5, .other_ms = 0.5});
  add_loader(facts, 2, 190, 0.98, 0.11);
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 2.0;
  facts.resources.run_cpu_cores = 0.2;
  facts.resources.main_cpu_cores = 0.05;
  facts.resources.psi_cpu_some_ratio = 0.775;
  return facts;
}

TEST(CpuContended, TheMoreStarvedTheMoreContended) {
  expect_cases(
      check_cpu_contended, starved_run(),
      {
          {"positive", [](RunFacts&) {}, true},
          {"gets nothing at all", [](RunFacts& f) { f.resources.run_cpu_cores = 0.01; }, true},
          {"starved without workers",
           [](RunFacts& f) {
             f = steady_run();
             f.resources = starved_run().resources;
           },
           true},
          {"boundary of the waiting", [](RunFacts& f) { f.resources.psi_cpu_some_ratio = 0.5; },
           true},
          {"near miss: nobody waits for a core",
           [](RunFacts& f) { f.resources.psi_cpu_some_ratio = 0.49; }, false},
          {"near miss: it waits for batches that nobody here makes",
           [](RunFacts& f) { f.ranks.front().workers.clear(); }, false},
          {"near miss: the workers are idle",
           [](RunFacts& f) {
             for (auto& worker : f.ranks.front().workers) worker.busy_ratio = 0.1;
           },
           false},
          {"near miss: cores are left", [](RunFacts& f) { f.resources.cpu_busy_cores = 1.7; },
           false},
          {"near miss: a program that sleeps, on a full machine",
           [](RunFacts& f) {
             f = plain_program();
             f.resources = starved_run().resources;
           },
           false},
      });
}

TEST(CpuContended, AProgramOnOneCoreDoesNotWantTheOther) {
  RunFacts facts = plain_program();
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 2.0;
  facts.resources.run_cpu_cores = 1.0;
  EXPECT_TRUE(check_cpu_contended(facts, {}).has_value()) << "nothing tells how long it waited";
  facts.ranks.front().core_wait_ratio = 0.02;
  EXPECT_FALSE(check_cpu_contended(facts, {}).has_value());
  facts.ranks.front().core_wait_ratio = 0.4;
  const auto finding = check_cpu_contended(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_DOUBLE_EQ(finding->run_saved_ratio, 0.4);
  facts.resources.run_cpu_cores = 1.8;
  facts.resources.cpu_busy_cores = 3.8;
  facts.resources.cores = 4;
  facts.resources.machine_cores = 4;
  facts.ranks.front().core_wait_ratio = 0.02;
  EXPECT_TRUE(check_cpu_contended(facts, {}).has_value()) << "other threads than the main one wait";
}

TEST(CpuContended, StarvedWorkersMakeTheWaitPartOfTheCost) {
  RunFacts facts = starved_run();
  facts.ranks.front().core_wait_ratio = 0.03;
  for (auto& worker : facts.ranks.front().workers) worker.core_wait_ratio = 0.85;
  const auto finding = check_cpu_contended(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_GT(finding->run_saved_ratio, 0.5) << "else the engine drops it as not worth a word";
}

// 30 of 44 ms of a step sleep, 6 compute; others keep both cores busy (measured: examples of a user).
RunFacts sleeping_run() {
  RunFacts facts = steady_run(
      {.wait_ms = 1, .forward_ms = 3, .backward_ms = 5, .optimizer_ms = 1, .other_ms = 34});
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 2.0;
  facts.resources.run_cpu_cores = 0.14;
  facts.resources.main_cpu_cores = 0.14;
  facts.resources.psi_cpu_some_ratio = 0.8;
  return facts;
}

double lost_ms(const RunFacts& facts) {
  const auto finding = check_cpu_contended(facts, {});
  if (!finding) return 0;
  const model::Message* cost = find_message(*finding, "cpu_contended.evidence.core_wait");
  if (cost == nullptr) cost = find_message(*finding, "cpu_contended.evidence.cost");
  return cost == nullptr ? -1 : number(*cost, "lost_ns") / kMs;
}

TEST(CpuContended, CostsNoMoreThanTheRunWaitedForACore) {
  RunFacts facts = sleeping_run();
  EXPECT_LE(lost_ms(facts), 0.14 * 44 + 0.01) << "unmeasured: no longer than it had one";
  for (const double ratio : {0.1, 0.2}) {
    facts.ranks.front().core_wait_ratio = ratio;
    EXPECT_NEAR(lost_ms(facts), 44 * ratio, 0.1) << ratio;
  }
  facts.ranks.push_back(facts.ranks.front());
  facts.ranks.back().core_wait_ratio = 0.4;
  EXPECT_NEAR(lost_ms(facts), 44 * 0.4, 0.1) << "all ranks wait for the one that waits longest";
}

TEST(CpuContended, AMeasuredWaitDecidesWhateverTheRunUses) {
  RunFacts facts = sleeping_run();
  facts.ranks.front().cpu_cores = 0.14;
  facts.ranks.front().core_wait_ratio = 0.1;
  expect_cases(
      check_cpu_contended, facts,
      {
          {"positive", [](RunFacts&) {}, true},
          {"boundary", [](RunFacts& f) { f.ranks.front().core_wait_ratio = 0.0301; }, true},
          {"near miss: a wait that is not worth a word",
           [](RunFacts& f) { f.ranks.front().core_wait_ratio = 0.0299; }, false},
          {"near miss: others take little", [](RunFacts& f) { f.resources.cpu_busy_cores = 0.33; },
           false},
          {"a core is left and the run waits all the same",
           [](RunFacts& f) { f.resources.cpu_busy_cores = 1.5; }, true},
      });
}

TEST(CpuContended, DoesNotHoldItsOwnProcessesAgainstOthers) {
  RunFacts facts = sleeping_run();
  facts.resources.run_cpu_cores = 1.5;  // 1.36 of them in other processes of the run
  facts.ranks.front().core_wait_ratio = 0.2;
  EXPECT_NEAR(lost_ms(facts), 44 * 0.2 * 0.5 / 1.86, 0.1);
}

TEST(CpuContended, FiresOnSteal) {
  expect_cases(check_cpu_contended, steady_run(),
               {
                   {"positive", [](RunFacts& f) { f.resources.cpu_steal_ratio = 0.12; }, true},
                   {"boundary", [](RunFacts& f) { f.resources.cpu_steal_ratio = 0.05; }, true},
                   {"near miss", [](RunFacts& f) { f.resources.cpu_steal_ratio = 0.049; }, false},
               });
}

TEST(CpuContended, FiresOnTooManyThreadsOfItsOwn) {
  RunFacts facts = steady_run();
  facts.resources.cpu_busy_cores = 8.0;
  facts.resources.run_cpu_cores = 7.9;
  facts.resources.psi_cpu_some_ratio = 0.9;
  facts.resources.involuntary_switches_per_s = 400;
  expect_cases(check_cpu_contended, facts,
               {
                   {"positive", [](RunFacts&) {}, true},
                   {"boundary",
                    [](RunFacts& f) {
                      f.resources.psi_cpu_some_ratio = 0.5;
                      f.resources.involuntary_switches_per_s = 100;
                    },
                    true},
                   {"near miss: nobody waits",
                    [](RunFacts& f) { f.resources.psi_cpu_some_ratio = 0.49; }, false},
                   {"near miss: few forced switches",
                    [](RunFacts& f) { f.resources.involuntary_switches_per_s = 99; }, false},
                   {"near miss: loader workers", [](RunFacts& f) { add_loader(f, 4, 100); }, false},
               });
}

TEST(CpuContended, SaysWhatOthersCostAndPredictsNothing) {
  RunFacts stolen = steady_run();
  stolen.resources.cpu_steal_ratio = 0.12;
  struct Case {
    std::string_view name;
    RunFacts facts;
    double lost_ms;
  };
  // 91 of 92 ms work; 3.1 of 8 cores are gone.
  for (const Case& c :
       {Case{"others", crowded_run(), 91 * 3.1 / 8}, Case{"the host", stolen, 91 * 0.12}}) {
    SCOPED_TRACE(c.name);
    const auto finding = check_cpu_contended(c.facts, {});
    ASSERT_TRUE(finding.has_value());
    EXPECT_FALSE(finding->gain.has_value()) << "no change of the program could prove it";
    const model::Message* cost = find_message(*finding, "cpu_contended.evidence.cost");
    ASSERT_NE(cost, nullptr);
    EXPECT_NEAR(number(*cost, "lost_ns") / kMs, c.lost_ms, 0.1);
    EXPECT_GT(finding->run_saved_ratio, 0.05) << "ranked by what it costs";
  }
}

TEST(CpuContended, PredictsForThreadsOfTheProgramItself) {
  RunFacts facts = steady_run();
  facts.resources.cpu_busy_cores = 8.0;
  facts.resources.run_cpu_cores = 7.9;
  facts.resources.psi_cpu_some_ratio = 0.9;
  facts.resources.involuntary_switches_per_s = 400;
  const auto finding = check_cpu_contended(facts, {});
  ASSERT_TRUE(finding && finding->gain);
  EXPECT_NEAR(static_cast<double>(finding->gain->saved_ns()) / kMs, 9.1, 0.1);
}

}  // namespace
}  // namespace latido::diagnosis
