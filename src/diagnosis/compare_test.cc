#include "diagnosis/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <string_view>

#include "diagnosis/compare_loss.h"
#include "diagnosis/diagnose.h"
#include "diagnosis/facts_fixture.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

// Steps that vary by some percent, so that there is noise to tell from.
RunFacts noisy_run(double wait_ms, double compute_ms, std::uint64_t seed, double spread = 0.03) {
  RunFacts facts = steady_run({.wait_ms = wait_ms,
                               .forward_ms = compute_ms,
                               .backward_ms = 0,
                               .optimizer_ms = 0,
                               .other_ms = 0},
                              400);
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(-spread, spread);
  auto& rank = facts.ranks.front();
  std::int64_t sum = 0;
  for (model::Step& step : rank.steps) {
    const auto extra = std::llround(noise(random) * static_cast<double>(step.wall_ns));
    step.phase_ns[static_cast<std::size_t>(model::Phase::kForward)] += extra;
    step.wall_ns += extra;
    sum += step.wall_ns;
  }
  rank.stats.mean_ns = sum / static_cast<std::int64_t>(rank.steps.size());
  rank.samples_per_s = 64e9 / static_cast<double>(rank.stats.mean_ns);
  facts.run.command = {"python", "train.py"};
  return facts;
}

TEST(Compare, TellsFasterFromSlowerFromNoise) {
  struct Case {
    std::string_view name;
    RunFacts before;
    RunFacts after;
    Outcome want;
  };
  const Case cases[] = {
      {"faster", noisy_run(60, 40, 1), noisy_run(2, 40, 2), Outcome::kFaster},
      {"slower", noisy_run(2, 40, 1), noisy_run(60, 40, 2), Outcome::kSlower},
      {"the same again", noisy_run(2, 40, 1), noisy_run(2, 40, 2), Outcome::kSame},
      {"a percent in three of noise", noisy_run(2, 40, 1), noisy_run(2, 40.6, 2), Outcome::kSlower},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts before = c.before;
    before.run.environment.git_commit = "a";
    RunFacts after = c.after;
    after.run.environment.git_commit = "b";
    const Comparison got = compare(before, after);
    EXPECT_EQ(got.outcome, c.want);
    ASSERT_TRUE(got.step.has_value());
    EXPECT_TRUE(got.not_comparable.empty());
    EXPECT_EQ(got.before_step_ns, c.before.ranks.front().stats.mean_ns);
  }
}

bool says(const Comparison& got, std::string_view id) {
  return std::ranges::find(got.cautions, id, &model::Message::id) != got.cautions.end();
}

TEST(Compare, DoesNotTakeTheSameProgramRunAgainForAChange) {
  constexpr std::string_view kNothing = "compare.caution.nothing_changed";
  struct Case {
    std::string_view name;
    double before_ms;
    double after_ms;
    std::string_view commit_after;
    Outcome want;
    bool said;
  };
  const Case cases[] = {
      {"1.21 times faster by itself", 121, 100, "a", Outcome::kCannotTell, true},
      {"1.21 times slower by itself", 100, 121, "a", Outcome::kCannotTell, true},
      {"near miss: the code changed", 121, 100, "b", Outcome::kFaster, false},
      {"near miss: more than runs differ by themselves", 130, 100, "a", Outcome::kFaster, true},
      {"boundary", 123, 100, "a", Outcome::kCannotTell, true},
      {"the same", 100, 100, "a", Outcome::kSame, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts before = noisy_run(0, c.before_ms, 1);
    RunFacts after = noisy_run(0, c.after_ms, 2);
    before.run.environment.git_commit = "a";
    after.run.environment.git_commit = std::string(c.commit_after);
    const Comparison got = compare(before, after);
    EXPECT_EQ(got.outcome, c.want);
    EXPECT_EQ(says(got, kNothing), c.said);
    for (const model::Message& caution : got.cautions) EXPECT_EQ(mismatch(caution), "");
  }
}

TEST(Compare, WidensWhatWasMeasuredBesideOthers) {
  struct Case {
    std::string_view name;
    bool before;
    bool after;
    double before_ms;
    double after_ms;
    Outcome want;
    std::string_view caution;
  };
  constexpr std::string_view kBefore = "compare.caution.contended_before";
  constexpr std::string_view kAfter = "compare.caution.contended_after";
  constexpr std::string_view kBoth = "compare.caution.contended_both";
  const Case cases[] = {
      {"faster, for want of others", true, false, 150, 100, Outcome::kCannotTell, kBefore},
      {"slower, though the run before was held back", true, false, 100, 150, Outcome::kSlower,
       kBefore},
      {"slower, because of others", false, true, 100, 150, Outcome::kCannotTell, kAfter},
      {"both", true, true, 150, 100, Outcome::kCannotTell, kBoth},
      {"alike, but a difference could hide", true, true, 100, 100, Outcome::kCannotTell, kBoth},
      {"more than others can have cost", true, true, 800, 100, Outcome::kFaster, kBoth},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts before = noisy_run(0, c.before_ms, 1);
    RunFacts after = noisy_run(0, c.after_ms, 2);
    before.run.environment.git_commit = "a";
    after.run.environment.git_commit = "b";
    const auto crowd = [](RunFacts& facts) {
      facts.resources.cpu_busy_cores = 8.0;
      facts.resources.run_cpu_cores = 1.0;
      facts.resources.main_cpu_cores = 0.6;
      facts.ranks.front().cpu_cores = 0.6;
      facts.ranks.front().core_wait_ratio = 0.4;
    };
    if (c.before) crowd(before);
    if (c.after) crowd(after);
    const Comparison got = compare(before, after);
    EXPECT_EQ(got.outcome, c.want);
    EXPECT_TRUE(says(got, c.caution));
  }
}

TEST(Compare, GivesNoScoreToAPredictionThatCouldNotBeWrong) {
  RunFacts before = noisy_run(60, 40, 1);
  add_loader(before, 0, 60);
  RunFacts after = noisy_run(2, 40, 2);
  add_loader(after, 2, 60);
  for (const bool vague : {true, false}) {
    model::Finding finding;
    finding.rule = "input-bound";
    finding.action = {"input_bound.action.set_workers", model::Params{}
                                                            .set("workers_before", std::int64_t{0})
                                                            .set("workers_after", std::int64_t{2})};
    finding.gain = model::Gain{.step_before_ns = 100 * kMs,
                               .step_after_ns = 50 * kMs,
                               .low_ns = (vague ? 10 : 30) * kMs,
                               .high_ns = 90 * kMs};
    const Comparison got = compare(before, after, {.predicted = finding});
    ASSERT_TRUE(got.prediction.has_value());
    EXPECT_EQ(got.prediction->tried, !vague);
    ASSERT_EQ(got.prediction->notes.size(), vague ? 1U : 0U);
    if (!vague) continue;
    EXPECT_EQ(got.prediction->notes.front().id, "compare.prediction.vague");
    EXPECT_EQ(mismatch(got.prediction->notes.front()), "");
  }
}

TEST(Compare, SetsPhasesBesideEachOther) {
  RunFacts before = noisy_run(60, 40, 1);
  RunFacts after = noisy_run(2, 40, 2);
  after.ranks.front().phases[static_cast<std::size_t>(model::Phase::kCommWait)].mean_ns =
      model::kNotMeasured;
  const Comparison got = compare(before, after);
  const PhaseChange& wait = got.phases[static_cast<std::size_t>(model::Phase::kDataWait)];
  EXPECT_EQ(wait.before_ns, 60 * kMs);
  EXPECT_EQ(wait.after_ns, 2 * kMs);
  ASSERT_TRUE(wait.test.has_value());
  EXPECT_NEAR(wait.test->speedup, 30, 0.1);
  EXPECT_FALSE(got.phases[static_cast<std::size_t>(model::Phase::kCommWait)].both_measured());
  EXPECT_NEAR(got.after_samples_per_s / got.before_samples_per_s, 100 / 42.0, 0.05);
}

TEST(Compare, SaysWhyRunsAreNotComparable) {
  struct Case {
    std::string_view name;
    void (*change)(RunFacts&);
    std::string_view id;
  };
  const Case cases[] = {
      {"cores", [](RunFacts& f) { f.run.environment.cores = 16; }, "compare.not_comparable.cores"},
      {"host", [](RunFacts& f) { f.run.environment.host = "other"; },
       "compare.not_comparable.host"},
      {"processor", [](RunFacts& f) { f.run.environment.cpu = "another"; },
       "compare.not_comparable.cpu"},
      {"batch size", [](RunFacts& f) { f.ranks.front().loader->batch_size = 128; },
       "compare.not_comparable.batch_size"},
      {"ranks", [](RunFacts& f) { f.ranks.push_back(f.ranks.front()); },
       "compare.not_comparable.ranks"},
      {"accumulation",
       [](RunFacts& f) {
         for (auto& step : f.ranks.front().steps) step.batches = 4;
       },
       "compare.not_comparable.batches_per_step"},
      {"how steps were found",
       [](RunFacts& f) { f.ranks.front().step_source = analysis::StepSource::kApi; },
       "compare.not_comparable.step_source"},
      {"no steps",
       [](RunFacts& f) {
         f.ranks.front().stats = {};
         f.ranks.front().steps.clear();
       },
       "compare.not_comparable.no_steps"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts before = noisy_run(2, 40, 1);
    add_loader(before, 2, 10);
    RunFacts after = before;
    c.change(after);
    const Comparison got = compare(before, after);
    EXPECT_EQ(got.outcome, Outcome::kCannotTell);
    ASSERT_EQ(got.not_comparable.size(), 1U);
    EXPECT_EQ(got.not_comparable.front().id, c.id);
    EXPECT_EQ(mismatch(got.not_comparable.front()), "");
  }
}

TEST(Compare, WhatIsUnknownIsNoDifference) {
  const RunFacts before = noisy_run(2, 40, 1);
  RunFacts after = noisy_run(2, 40, 2);
  after.run.environment = {};
  EXPECT_TRUE(compare(before, after).not_comparable.empty());
  EXPECT_TRUE(compare(before, after).differs.empty());
}

TEST(Compare, ListsWhatElseDiffers) {
  RunFacts before = noisy_run(2, 40, 1);
  add_loader(before, 2, 10);
  before.run.environment.git_commit = "a";
  before.run.environment.torch = "2.5";
  before.run.environment.python = "3.11";
  RunFacts after = before;
  after.run.command.emplace_back("--fast");
  after.run.environment.git_commit = "b";
  after.run.environment.torch = "2.6";
  after.run.environment.python = "3.12";
  after.ranks.front().loader->workers = 6;
  after.ranks.front().loader->prefetch_factor = 4;
  const Comparison got = compare(before, after);
  EXPECT_EQ(got.differs.size(), 6U);
  for (const model::Message& message : got.differs) EXPECT_EQ(mismatch(message), "");
}

TEST(Compare, ScoresThePredictionOfTheRunBefore) {
  RunFacts before = noisy_run(60, 40, 1);
  add_loader(before, 0, 60);
  before.resources.main_cpu_cores = 1.0;
  const model::Diagnosis diagnosis = diagnose(before);
  ASSERT_EQ(diagnosis.verdict, "input-bound");
  RunFacts after = noisy_run(0.5, 40, 2);
  add_loader(after, 2, 60);
  const Comparison got = compare(before, after, {.predicted = diagnosis.findings.front()});
  ASSERT_TRUE(got.prediction.has_value());
  EXPECT_TRUE(got.prediction->tried);
  EXPECT_TRUE(got.prediction->inside);
  EXPECT_NEAR(got.prediction->off_ratio, 0, 0.03);
  EXPECT_TRUE(got.prediction->notes.empty());

  after.ranks.front().loader->workers = 5;
  const Comparison other = compare(before, after, {.predicted = diagnosis.findings.front()});
  EXPECT_FALSE(other.prediction->tried);
  ASSERT_EQ(other.prediction->notes.size(), 1U);
  EXPECT_EQ(mismatch(other.prediction->notes.front()), "");
}

TEST(Compare, DoesNotScoreAPredictionThatNobodyTried) {
  RunFacts before = noisy_run(60, 40, 1);
  add_loader(before, 0, 60);
  before.resources.main_cpu_cores = 1.0;
  const model::Diagnosis diagnosis = diagnose(before);
  RunFacts after = noisy_run(20, 40, 2);  // faster by itself
  add_loader(after, 0, 60);
  const Comparison got = compare(before, after, {.predicted = diagnosis.findings.front()});
  ASSERT_TRUE(got.prediction.has_value());
  EXPECT_FALSE(got.prediction->tried);
  ASSERT_EQ(got.prediction->notes.size(), 1U);
  EXPECT_EQ(got.prediction->notes.front().id, "compare.prediction.not_tried");

  add_loader(after, 2, 60);
  after.ranks.front().loader->batch_size = 128;
  EXPECT_FALSE(compare(before, after, {.predicted = diagnosis.findings.front()}).prediction)
      << "another batch size is another step";
}

TEST(Compare, ScoresMoreCoresThoughTheRunsAreNotComparable) {
  model::Finding finding;
  finding.rule = "cpu-compute-bound";
  finding.action = {.id = "cpu_compute_bound.action",
                    .params = model::Params{}.set("cores", 8.0).set("cores_after", 16.0)};
  finding.gain = model::Gain{100 * kMs, 60 * kMs, 50 * kMs, 80 * kMs};
  const RunFacts before = noisy_run(2, 98, 1);
  RunFacts after = noisy_run(2, 58, 2);
  after.resources.cores = 16;
  after.run.environment.cores = 16;
  const Comparison got = compare(before, after, {.predicted = finding});
  EXPECT_EQ(got.outcome, Outcome::kCannotTell);
  ASSERT_TRUE(got.prediction.has_value());
  EXPECT_TRUE(got.prediction->tried && got.prediction->inside);
}

TEST(Compare, APredictionMissedIsOutside) {
  const model::Finding finding{.rule = "input-bound",
                               .headline = {},
                               .evidence = {},
                               .action = {.id = "input_bound.action.even_batches", .params = {}},
                               .gain = model::Gain{100 * kMs, 42 * kMs, 40 * kMs, 45 * kMs},
                               .limits = {}};
  RunFacts before = noisy_run(60, 40, 1);
  RunFacts after = noisy_run(20, 40, 2);
  add_loader(before, 2, 60);
  add_loader(after, 2, 60);
  after.ranks.front().loader->prefetch_factor = 8;
  const Comparison got = compare(before, after, {.predicted = finding});
  ASSERT_TRUE(got.prediction.has_value());
  EXPECT_TRUE(got.prediction->tried);
  EXPECT_FALSE(got.prediction->inside);
  EXPECT_NEAR(got.prediction->off_ratio, 42 / 60.0 - 1, 0.01);
}

TEST(Compare, WithoutStepsTheWallTimesRemain) {
  const Comparison got = compare(plain_program(60'000 * kMs), plain_program(30'000 * kMs));
  EXPECT_EQ(got.outcome, Outcome::kCannotTell);
  EXPECT_FALSE(got.step.has_value());
  EXPECT_EQ(got.before_wall_ns, 60'000 * kMs);
  EXPECT_EQ(got.after_wall_ns, 30'000 * kMs);
}

// A loss that falls from 2 to 1, with `samples` a step, times `factor`, with noise.
analysis::RankFacts learning(std::uint32_t samples, std::uint64_t steps, double factor,
                             double spread, std::uint64_t seed) {
  analysis::RankFacts rank;
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> noise(-spread, spread);
  for (std::uint64_t i = 0; i < steps; ++i) {
    model::Step step;
    step.samples = samples;
    rank.steps.push_back(step);
    const double seen = static_cast<double>(i) * samples / 64'000.0;
    rank.loss.push_back({.step = i, .value = factor * (1 + std::exp(-seen)) + noise(random)});
  }
  return rank;
}

TEST(CompareLoss, SaysWhetherItLearnsTheSame) {
  struct Case {
    std::string_view name;
    analysis::RankFacts before;
    analysis::RankFacts after;
    LossOutcome want;
  };
  const Case cases[] = {
      {"the same numbers", learning(64, 1000, 1, 0, 1), learning(64, 1000, 1, 0, 1),
       LossOutcome::kSame},
      {"within the limit", learning(64, 1000, 1, 0.05, 1), learning(64, 1000, 1.01, 0.05, 2),
       LossOutcome::kSame},
      {"worse", learning(64, 1000, 1, 0.05, 1), learning(64, 1000, 1.1, 0.05, 2),
       LossOutcome::kDifferent},
      {"better", learning(64, 1000, 1, 0.05, 1), learning(64, 1000, 0.9, 0.05, 2),
       LossOutcome::kDifferent},
      {"too noisy", learning(64, 1000, 1, 2, 1), learning(64, 1000, 1, 2, 2),
       LossOutcome::kCannotTell},
      {"twice the batch, half the steps", learning(64, 1000, 1, 0.01, 1),
       learning(128, 500, 1, 0.01, 2), LossOutcome::kSame},
      {"twice as long", learning(64, 500, 1, 0.01, 1), learning(64, 1000, 1, 0.01, 2),
       LossOutcome::kSame},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = compare_loss(c.before, c.after, 0.02);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got->outcome, c.want) << got->low_ratio << " " << got->high_ratio;
    EXPECT_LE(got->low_ratio, got->difference_ratio);
    EXPECT_GE(got->high_ratio, got->difference_ratio);
  }
}

TEST(CompareLoss, IsEmptyWithoutEnoughLoss) {
  const analysis::RankFacts full = learning(64, 1000, 1, 0, 1);
  EXPECT_FALSE(compare_loss(full, {}, 0.02).has_value());
  EXPECT_FALSE(compare_loss(full, learning(64, 3, 1, 0, 1), 0.02).has_value());
  analysis::RankFacts nan = full;
  for (auto& point : nan.loss) point.value = std::nan("");
  EXPECT_FALSE(compare_loss(full, nan, 0.02).has_value());
}

}  // namespace
}  // namespace latido::diagnosis
