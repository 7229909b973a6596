#include "diagnosis/diagnose.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <string_view>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rule.h"

namespace latido::diagnosis {
namespace {

analysis::RunFacts starved_run(std::uint64_t steps = 100) {
  analysis::RunFacts facts = steady_run(
      {.wait_ms = 60, .forward_ms = 40, .backward_ms = 0, .optimizer_ms = 0, .other_ms = 0}, steps);
  add_loader(facts, 0, 60);
  facts.resources.main_cpu_cores = 1.0;
  return facts;
}

TEST(Diagnose, AHealthyRunIsCalledHealthyWithItsNextLimit) {
  const model::Diagnosis got = diagnose(steady_run());
  EXPECT_EQ(got.verdict, "healthy");
  EXPECT_TRUE(got.findings.empty());
  EXPECT_EQ(mismatch(got.headline), "");
  EXPECT_EQ(std::get<std::string>(*got.headline.params.find("part")), "compute");
  EXPECT_NEAR(number(got.headline, "part_ratio"), 90.0 / 92.0, 1e-9);
  EXPECT_EQ(std::get<std::string>(*got.headline.params.find("limit")), "arithmetic");
}

TEST(Diagnose, UnevenStepsAreNotCalledHealthy) {
  struct Case {
    std::string_view name;
    std::int64_t p95_ns;
    std::string_view want;
  };
  const Case cases[] = {{"boundary", 10 * 92 * kMs, "healthy"},
                        {"more than ten times the median", 10 * 92 * kMs + 1, "cannot-tell"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = steady_run();
    facts.ranks.front().stats.p95_ns = c.p95_ns;
    const model::Diagnosis got = diagnose(facts);
    EXPECT_EQ(got.verdict, c.want);
    EXPECT_EQ(mismatch(got.headline), "");
  }
}

TEST(Diagnose, AStarvedRunIsInputBound) {
  const model::Diagnosis got = diagnose(starved_run());
  EXPECT_EQ(got.verdict, "input-bound");
  ASSERT_EQ(got.findings.size(), 1U);
  EXPECT_EQ(got.headline, got.findings.front().headline);
  EXPECT_NEAR(got.findings.front().run_saved_ratio, 0.55, 0.06);
}

TEST(Diagnose, SaysThatItKnowsTooLittle) {
  struct Case {
    std::string_view name;
    std::uint64_t steps;
    std::string_view want;
  };
  const Case cases[] = {{"one short of enough", 19, "cannot-tell"},
                        {"enough", 20, "input-bound"},
                        {"one step", 1, "cannot-tell"}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const model::Diagnosis got = diagnose(starved_run(c.steps));
    EXPECT_EQ(got.verdict, c.want);
    EXPECT_EQ(mismatch(got.headline), "");
  }
}

TEST(Diagnose, OnlyWarmUpStepsMeansWarmingUp) {
  analysis::RunFacts facts = steady_run({}, 5);
  for (auto& step : facts.ranks.front().steps) step.flags = model::StepFlags::kWarmup;
  facts.ranks.front().stats = {};
  const model::Diagnosis got = diagnose(facts);
  EXPECT_EQ(got.verdict, "cannot-tell");
  EXPECT_EQ(got.headline.id, "verdict.warming_up");
  EXPECT_EQ(number(got.headline, "steps"), 5);
}

TEST(Diagnose, TwoVeryLongStepsGiveAProvisionalVerdict) {
  const StepParts minutes{
      .wait_ms = 60'000, .forward_ms = 40'000, .backward_ms = 0, .optimizer_ms = 0, .other_ms = 0};
  const model::Diagnosis got = diagnose(steady_run(minutes, 2));
  EXPECT_EQ(got.verdict, "input-bound");
  ASSERT_FALSE(got.findings.empty());
  EXPECT_LE(got.findings.front().confidence, 0.5);
}

TEST(Diagnose, AProgramWithoutStepsIsSaidToBeOne) {
  const model::Diagnosis sampled = diagnose(plain_program());
  EXPECT_EQ(sampled.verdict, "no-steps");
  EXPECT_EQ(sampled.headline.id, "verdict.healthy_no_steps");
  EXPECT_EQ(mismatch(sampled.headline), "");
  analysis::RunFacts unknown;
  unknown.run.end.kind = model::EndKind::kExit;
  EXPECT_EQ(diagnose(unknown).headline.id, "verdict.no_steps");
}

TEST(Diagnose, AProgramThatStillStartsMayYetStep) {
  struct Case {
    std::string_view name;
    std::int64_t wall_ms;
    model::EndKind end;
    std::string_view want;
  };
  const Case cases[] = {
      {"imports, on one core", 29'999, model::EndKind::kRunning, "cannot-tell"},
      {"runs for half a minute", 30'000, model::EndKind::kRunning, "one-core-bound"},
      {"over", 10'000, model::EndKind::kExit, "one-core-bound"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = plain_program(c.wall_ms * kMs);
    facts.run.end.kind = c.end;
    facts.resources.run_cpu_cores = 1.0;
    facts.resources.cpu_busy_cores = 1.1;
    EXPECT_EQ(diagnose(facts).verdict, c.want);
  }
}

TEST(Diagnose, ASavingWithinTheNoiseIsNotReported) {
  analysis::RunFacts facts = starved_run();
  facts.ranks.front().stats.mean_half_width_ns = 40 * kMs;
  EXPECT_EQ(diagnose(facts).verdict, "healthy");
}

TEST(Diagnose, AProgramWithoutStepsIsToldWhichFunctionTakesItsTime) {
  analysis::RunFacts facts = plain_program(10'000 * kMs);
  facts.resources.run_cpu_cores = 0.5;
  facts.resources.cpu_busy_cores = 0.6;
  analysis::FunctionTime function{.name = "find_duplicates", .file = "clean.py", .line = 4};
  function.sampled_self_ns = 9'300 * kMs;
  facts.ranks.front().functions = {function};
  const model::Diagnosis got = diagnose(facts);
  EXPECT_EQ(got.verdict, "no-steps");
  EXPECT_EQ(got.headline.id, "verdict.no_steps_function");
  EXPECT_EQ(mismatch(got.headline), "");
  facts.ranks.front().functions[0].sampled_self_ns = 2'900 * kMs;
  EXPECT_EQ(diagnose(facts).headline.id, "verdict.healthy_no_steps");
}

// What one worker more would save may lie within the noise; that most of a step is a wait does not.
TEST(Diagnose, ABottleneckIsNoneTheLessForAFixThatMayFail) {
  analysis::RunFacts facts = starved_run();
  const auto quiet = diagnose(facts).findings.front().gain;
  ASSERT_TRUE(quiet.has_value());
  const auto& gain = *quiet;
  // Two half-widths are more than is expected to be saved, and less than may be.
  facts.ranks.front().stats.mean_half_width_ns =
      (gain.saved_ns() + gain.step_before_ns - gain.low_ns) / 4;
  EXPECT_EQ(diagnose(facts).verdict, "input-bound");
}

TEST(Diagnose, FollowsTheThresholdsItIsGiven) {
  Thresholds strict;
  strict.input_wait_ratio = 0.7;
  EXPECT_EQ(diagnose(starved_run(), strict).verdict, "healthy");
}

TEST(Diagnose, DoesNotReportAnEffectBesideItsCause) {
  struct Case {
    std::string_view name;
    void (*change)(analysis::RunFacts&);
    std::string_view verdict;
    std::string_view hidden;
  };
  const Case cases[] = {
      {"slow disk, late batches",
       [](analysis::RunFacts& facts) {
         facts.ranks.front().workers.clear();
         add_loader(facts, 2, 200, 0.99, 0.1);
         facts.resources.disk_busy_ratio = 0.97;
       },
       "disk-bound", "input-bound"},
      {"swapping keeps the disk busy",
       [](analysis::RunFacts& facts) {
         facts.ranks.front().workers.clear();
         add_loader(facts, 2, 200, 0.99, 0.1);
         facts.resources.disk_busy_ratio = 0.97;
         facts.resources.swap_in_bytes_per_s = 4e7;
         facts.resources.major_faults_per_s = 900;
         facts.resources.psi_memory_full_ratio = 0.3;
       },
       "swap-bound", "disk-bound"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = starved_run();
    c.change(facts);
    const model::Diagnosis got = diagnose(facts);
    EXPECT_EQ(got.verdict, c.verdict);
    for (const model::Finding& finding : got.findings) EXPECT_NE(finding.rule, c.hidden);
  }
}

TEST(Diagnose, TheLargestExpectedSavingComesFirst) {
  analysis::RunFacts facts = starved_run();
  auto& parts = facts.ranks.front().parts;
  parts.checkpoint_ns = parts.sum_ns() / 10;
  parts.checkpoints = 3;
  model::Diagnosis got = diagnose(facts);
  ASSERT_EQ(got.findings.size(), 2U);
  EXPECT_EQ(got.findings[0].rule, "input-bound");
  EXPECT_EQ(got.findings[1].rule, "checkpoint-heavy");
  parts.checkpoint_ns = parts.sum_ns() * 20;
  got = diagnose(facts);
  EXPECT_EQ(got.verdict, "checkpoint-heavy");
}

TEST(Diagnose, AProgramWithoutStepsMayStillHaveAFinding) {
  analysis::RunFacts facts = plain_program();
  facts.resources.run_cpu_cores = 1.0;
  facts.resources.cpu_busy_cores = 1.1;
  EXPECT_EQ(diagnose(facts).verdict, "one-core-bound");
}

TEST(Rules, HaveUniqueIdsAndExplainOnlyEachOther) {
  std::set<std::string_view> ids;
  for (const Rule& rule : all_rules()) EXPECT_TRUE(ids.insert(rule.id).second) << rule.id;
  for (const Explains& explains : explanations()) {
    EXPECT_TRUE(ids.contains(explains.cause)) << explains.cause;
    EXPECT_TRUE(ids.contains(explains.effect)) << explains.effect;
    EXPECT_NE(explains.cause, explains.effect);
  }
}

TEST(Rules, SayNothingOfARunOfWhichNothingIsKnown) {
  for (const Rule& rule : all_rules()) {
    EXPECT_FALSE(rule.check(analysis::RunFacts{}, {}).has_value()) << rule.id;
  }
}

TEST(Rules, SayNothingOfAHealthyRun) {
  for (const Rule& rule : all_rules()) {
    EXPECT_FALSE(rule.check(steady_run(), {}).has_value()) << rule.id;
    EXPECT_FALSE(rule.check(plain_program(), {}).has_value()) << rule.id;
  }
}

TEST(Diagnose, SaysBesideEveryVerdictWhatOthersTook) {
  struct Case {
    std::string_view name;
    StepParts parts;
    std::string_view verdict;
  };
  const Case cases[] = {
      {"healthy", {}, "healthy"},
      {"with a finding",
       {.wait_ms = 60, .forward_ms = 12, .backward_ms = 22, .optimizer_ms = 4, .other_ms = 2},
       "input-bound"},
  };
  for (const Case& c : cases) {
    for (const double foreign : {0.79, 0.81}) {  // of 8 cores
      SCOPED_TRACE(std::string(c.name) + " " + std::to_string(foreign));
      analysis::RunFacts facts = steady_run(c.parts);
      facts.resources.cpu_busy_cores = *facts.resources.run_cpu_cores + foreign;
      const model::Diagnosis got = diagnose(facts, {});
      EXPECT_EQ(got.verdict, c.verdict);
      EXPECT_EQ(mismatch(got.headline), "");
      bool said = got.headline.params.find("foreign_cores") != nullptr;
      for (const model::Finding& finding : got.findings) {
        said = said || find_message(finding, "cpu_contended.evidence.others") != nullptr;
        EXPECT_EQ(mismatches(finding), "");
      }
      EXPECT_EQ(said, foreign > 0.8);
    }
  }
}

TEST(Diagnose, AVagueGainOfStepsIsHeldAgainstTheStepNotTheRun) {
  for (const bool noisy : {false, true}) {
    analysis::RunFacts facts = steady_run(
        {.wait_ms = 95, .forward_ms = 2, .backward_ms = 2, .optimizer_ms = 1, .other_ms = 0});
    add_loader(facts, 2, 190, 0.99, 0.9);
    facts.resources.cores = 2;
    facts.resources.machine_cores = 2;
    facts.resources.cpu_busy_cores = 2.0;
    facts.resources.run_cpu_cores = 1.95;
    facts.resources.main_cpu_cores = 0.05;
    facts.ranks.front().parts.startup_ns = 100 * facts.ranks.front().parts.steps_ns;
    if (noisy) facts.ranks.front().stats.mean_half_width_ns = 50 * kMs;
    const model::Diagnosis got = diagnose(facts, {});
    EXPECT_EQ(got.verdict == "input-bound", !noisy) << got.verdict;
    if (noisy) continue;
    EXPECT_FALSE(got.findings.front().gain.has_value());
    EXPECT_NE(find_message(got.findings.front(), "interval.up_to"), nullptr);
  }
}

TEST(Diagnose, AStepThatSleepsIsNotCalledContended) {
  analysis::RunFacts facts = steady_run(
      {.wait_ms = 1, .forward_ms = 3, .backward_ms = 5, .optimizer_ms = 1, .other_ms = 34});
  facts.resources.cores = 2;
  facts.resources.machine_cores = 2;
  facts.resources.cpu_busy_cores = 2.0;
  facts.resources.run_cpu_cores = 0.14;
  facts.resources.main_cpu_cores = 0.14;
  facts.resources.psi_cpu_some_ratio = 0.8;
  facts.ranks.front().cpu_cores = 0.14;
  facts.ranks.front().core_wait_ratio = 0.1;
  EXPECT_EQ(diagnose(facts, {}).verdict, "other-heavy");
}

}  // namespace
}  // namespace latido::diagnosis
