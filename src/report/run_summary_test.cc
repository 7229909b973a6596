#include "report/run_summary.h"

#include <gtest/gtest.h>

#include <limits>

#include "report/fixtures.h"

namespace latido::report {
namespace {

TEST(SummariseSteps, MeansOverRanksAddUp) {
  const auto steps = summarise_steps(fixtures::mockup_run().facts);
  ASSERT_TRUE(steps.has_value());
  EXPECT_EQ(steps->count, 8480U);
  EXPECT_EQ(steps->mean_ns, 412'000'000);
  std::int64_t sum_ns = 0;
  for (const PhaseRow& row : steps->phases) sum_ns += row.mean_ns;
  EXPECT_EQ(sum_ns, steps->mean_ns);
  EXPECT_EQ(steps->phases[0].mean_ns, 236'000'000);
  EXPECT_GT(steps->p95_ns, steps->p50_ns);
}

TEST(SummariseSteps, NamesZonesInsideOther) {
  const auto steps = summarise_steps(fixtures::mockup_run().facts);
  ASSERT_TRUE(steps.has_value());
  ASSERT_EQ(steps->other.size(), 3U);
  EXPECT_EQ(steps->other[0].zone, "augment");
  EXPECT_EQ(steps->other[2].part, "unnamed");
  std::int64_t sum_ns = 0;
  for (const OtherRow& row : steps->other) sum_ns += row.mean_ns;
  EXPECT_EQ(sum_ns, steps->phases[6].mean_ns);
}

TEST(SummariseSteps, KeepsTheReasonOfWhatWasNotMeasured) {
  const auto steps = summarise_steps(fixtures::healthy_run().facts);
  ASSERT_TRUE(steps.has_value());
  EXPECT_EQ(steps->phases[1].mean_ns, model::kNotMeasured);
  EXPECT_EQ(steps->phases[1].reason, "no_device");
  EXPECT_FALSE(summarise_steps(fixtures::no_steps_run().facts).has_value());
  EXPECT_FALSE(summarise_steps({}).has_value());
}

TEST(LossChange, IsOfBothEndsAndCountsWhatIsNoNumber) {
  analysis::RankFacts rank;
  EXPECT_FALSE(loss_change(rank).has_value());
  rank.loss = {{0, 2.0}, {1, std::numeric_limits<double>::quiet_NaN()}, {2, 1.0}};
  const auto change = loss_change(rank);
  ASSERT_TRUE(change.has_value());
  EXPECT_DOUBLE_EQ(change->first, 2.0);
  EXPECT_DOUBLE_EQ(change->last, 1.0);
  EXPECT_EQ(change->not_finite, 1U);
}

TEST(RunGain, IsTheSameStepsAtThePredictedTime) {
  const fixtures::Example run = fixtures::mockup_run();
  const RunGain gain = run_gain(run.facts, *run.diagnosis.findings[0].gain);
  EXPECT_NEAR(gain.factor, 2.18, 0.01);
  EXPECT_EQ(gain.wall_before_ns - gain.wall_after_ns, 8480LL * 223'000'000);
  EXPECT_NEAR(gain.samples_after_per_s, 1354, 1);
}

TEST(SumsGap, SeesAStepWhosePhasesDoNotAddUp) {
  fixtures::Example run = fixtures::healthy_run();
  EXPECT_NEAR(sums_gap_ratio(run.facts).value_or(1), 0, 1e-9);
  run.facts.ranks[0].phases[2].mean_ns += run.facts.ranks[0].stats.mean_ns / 10;
  EXPECT_NEAR(sums_gap_ratio(run.facts).value_or(0), 0.1, 1e-3);
  EXPECT_FALSE(sums_gap_ratio(fixtures::no_steps_run().facts).has_value());
}

TEST(LeadRank, PrefersRanksThatStep) {
  analysis::RunFacts facts;
  EXPECT_EQ(lead_rank(facts), nullptr);
  facts.ranks.resize(3);
  facts.ranks[1].rank = 1;
  facts.ranks[1].stats.count = 5;
  facts.ranks[2].rank = 0;
  facts.ranks[2].stats.count = 5;
  EXPECT_EQ(lead_rank(facts), &facts.ranks[2]);
}

TEST(SignalName, KnowsTheCommonOnes) {
  EXPECT_EQ(signal_name(9), "SIGKILL");
  EXPECT_EQ(signal_name(11), "SIGSEGV");
  EXPECT_EQ(signal_name(63), "signal 63");
  EXPECT_EQ(signal_name(-1), "signal -1");
}

TEST(SummariseSteps, TheOnlyZoneLeavesNoOtherZones) {
  // Over all steps it takes 53 ms, over the steady ones 57.5 ms.
  const auto steps = summarise_steps(fixtures::marked_run().facts);
  ASSERT_TRUE(steps.has_value());
  ASSERT_EQ(steps->other.size(), 2U);
  EXPECT_EQ(steps->other[0].zone, "assign");
  EXPECT_EQ(steps->other[0].mean_ns, 57'500'000);
  EXPECT_EQ(steps->other[1].part, "unnamed");
}

TEST(TrustIsDamaged, NotByTheCostOfAShortRun) {
  fixtures::Example run = fixtures::healthy_run();
  run.facts.quality.overhead_ratio = 0.034;
  EXPECT_TRUE(trust_is_damaged(run.facts, 0.01));
  run.facts.run.end_ns = run.facts.run.start_ns + 800'000'000;
  EXPECT_FALSE(trust_is_damaged(run.facts, 0.01));
  run.facts.quality.dropped = 1;
  EXPECT_TRUE(trust_is_damaged(run.facts, 0.01));
}

}  // namespace
}  // namespace latido::report
