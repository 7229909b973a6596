#include "analysis/run_analysis.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "analysis/test_events.h"

namespace latido::analysis {
namespace {

using model::Category;
using model::Phase;

constexpr std::size_t index(Phase phase) { return static_cast<std::size_t>(phase); }
constexpr std::size_t index(model::OtherPart part) { return static_cast<std::size_t>(part); }

RunFacts analyse(const TestEvents& loop, model::RunEnd end = {}) {
  RunAnalysis analysis;
  analysis.add_events(loop.tables(), loop.events());
  model::Run run;
  run.start_ns = TestEvents::kStartNs;
  run.end_ns = loop.now_ns();
  run.end = std::move(end);
  return analysis.facts(run, {}, loop.tables());
}

model::RunEnd ended(model::EndKind kind, std::int32_t code, std::int32_t signal = 0) {
  model::RunEnd end;
  end.kind = kind;
  end.code = code;
  end.signal = signal;
  return end;
}

// 100 steps of 20 ms: wait 6, forward 3, backward 6, clip and optimizer 3, logging 2.
void plain_step(TestEvents& loop) {
  loop.wait(1, 6_ms).forward(3_ms).value("train.loss_backward", 0.5).backward(6_ms);
  loop.span("clip_grad_norm_", Category::kClipGrad, 1_ms).value("train.grad_norm", 2.0);
  loop.step(1, 2_ms).span("log", Category::kZone, 500_us).pass(1'500_us);
}

TEST(RunAnalysis, PhasesOfAPlainLoopAreWhatEachHookTook) {
  TestEvents loop;
  loop.pass(2'000_ms).start_loader(1, 5_ms);
  for (int i = 0; i < 100; ++i) plain_step(loop);
  loop.stop(1);
  const RunFacts facts = analyse(loop);
  ASSERT_EQ(facts.ranks.size(), 1U);
  const RankFacts& rank = facts.ranks[0];
  EXPECT_EQ(rank.step_source, StepSource::kOptimizer);
  ASSERT_EQ(rank.steps.size(), 100U);
  EXPECT_EQ(rank.stats.count, 100U);
  EXPECT_EQ(rank.stats.mean_ns, 20_ms);
  EXPECT_EQ(rank.stats.p50_ns, 20_ms);
  EXPECT_EQ(rank.stats.mean_half_width_ns, 0);
  EXPECT_EQ(rank.phases[index(Phase::kDataWait)].mean_ns, 6_ms);
  EXPECT_EQ(rank.phases[index(Phase::kForward)].mean_ns, 3_ms);
  EXPECT_EQ(rank.phases[index(Phase::kBackward)].mean_ns, 6_ms);
  EXPECT_EQ(rank.phases[index(Phase::kOptimizer)].mean_ns, 3_ms);
  EXPECT_EQ(rank.phases[index(Phase::kOther)].mean_ns, 2_ms);
  EXPECT_EQ(rank.other_mean_ns[index(model::OtherPart::kZones)], 500_us);
  EXPECT_EQ(rank.other_mean_ns[index(model::OtherPart::kUnnamed)], 1'500_us);
  EXPECT_DOUBLE_EQ(rank.samples_per_s, 32 / 0.020);
  EXPECT_FLOAT_EQ(rank.steps[50].loss, 0.5F);
  EXPECT_FLOAT_EQ(rank.steps[50].grad_norm, 2.0F);
  EXPECT_EQ(rank.loss.size(), 100U);
  ASSERT_EQ(rank.zones.size(), 1U);
  EXPECT_EQ(rank.zones[0].name, "log");
  EXPECT_EQ(rank.zones[0].mean_per_step_ns, 500_us);
}

TEST(RunAnalysis, ValuesOfTheProgramAreSummedUpAndOursAreNot) {
  TestEvents loop;
  loop.value("queue_length", 7);
  for (int i = 0; i < 100; ++i) {
    plain_step(loop);
    loop.value("queue_length", i).value("train.lr", 0.1);
  }
  const RankFacts rank = analyse(loop).ranks[0];
  ASSERT_EQ(rank.steps.size(), 100U);
  ASSERT_EQ(rank.series.size(), 1U);
  EXPECT_EQ(rank.series[0].name, "queue_length");
  EXPECT_EQ(rank.series[0].count, 101U);
  EXPECT_EQ(rank.series[0].first, 7);
  EXPECT_EQ(rank.series[0].last, 99);
}

TEST(RunAnalysis, ValuesOfARunWithoutStepsAreThoseOfAllProcesses) {
  TestEvents loop;
  loop.value("x", 1).pass(1_ms);
  loop.on_track(loop.add_track(loop.add_process(101, 100))).value("x", 2).value("y", 3);
  const RankFacts rank = analyse(loop).ranks[0];
  ASSERT_EQ(rank.series.size(), 2U);
  EXPECT_EQ(rank.series[0].count, 2U);
  EXPECT_EQ(rank.series[0].last, 2);
  EXPECT_EQ(rank.series[1].name, "y");
}

TEST(RunAnalysis, WhatNoHookSawIsNotMeasuredAndSaysWhy) {
  TestEvents loop;
  for (int i = 0; i < 100; ++i) plain_step(loop);
  loop.text("forward", Category::kHook, "ok");
  const RankFacts rank = analyse(loop).ranks[0];
  EXPECT_EQ(rank.phases[index(Phase::kH2d)].mean_ns, model::kNotMeasured);
  EXPECT_EQ(rank.phases[index(Phase::kH2d)].reason, "no_device");
  EXPECT_EQ(rank.phases[index(Phase::kCommWait)].reason, "single_process");
  EXPECT_EQ(rank.steps[0].phase(Phase::kH2d), model::kNotMeasured);
  EXPECT_TRUE(rank.phases[index(Phase::kForward)].reason.empty());

  TestEvents bare;
  bare.text("forward", Category::kHook, "absent: torch._dynamo was imported first");
  for (int i = 0; i < 30; ++i) bare.pass(1_ms).backward().step();
  const RankFacts without = analyse(bare).ranks[0];
  EXPECT_EQ(without.phases[index(Phase::kForward)].reason, "hook_absent");
  EXPECT_EQ(without.phases[index(Phase::kDataWait)].reason, "no_loader");
}

TEST(RunAnalysis, PartsOfTheRunAddUpToTheWallOfTheProcess) {
  TestEvents loop;
  loop.pass(3'000_ms);
  for (int epoch = 0; epoch < 3; ++epoch) {
    loop.start_loader(1, 7_ms);
    for (int i = 0; i < 40; ++i) plain_step(loop);
    loop.stop(1, 0).pass(5_ms).start_loader(2, 10_ms);
    for (int i = 0; i < 4; ++i) loop.wait(2, 5_ms).no_grad(20_ms);
    loop.stop(2, 2_ms).save(30_ms);
  }
  loop.pass(50_ms);
  const RunParts parts = analyse(loop).ranks[0].parts;
  EXPECT_EQ(parts.startup_ns, 3'007_ms);
  EXPECT_EQ(parts.warmup_ns + parts.steps_ns, 3 * 40 * 20_ms);
  EXPECT_EQ(parts.evaluations, 3U);
  EXPECT_EQ(parts.evaluation_ns, 3 * (10_ms + 4 * 25_ms + 2_ms));
  EXPECT_EQ(parts.checkpoints, 3U);
  EXPECT_EQ(parts.checkpoint_ns, 90_ms);
  EXPECT_EQ(parts.sum_ns(), loop.now_ns() - TestEvents::kStartNs);
  EXPECT_EQ(parts.other_ns, 3 * 5_ms + 2 * 7_ms + 50_ms);
}

TEST(RunAnalysis, AZoneAroundTheWholeStepSwallowsNoPhase) {
  TestEvents loop;
  for (int i = 0; i < 60; ++i) {
    loop.begin("train_step", Category::kZone);
    plain_step(loop);
    loop.end("train_step", Category::kZone);
  }
  loop.stop(1);
  const RankFacts rank = analyse(loop).ranks[0];
  EXPECT_EQ(rank.phases[index(Phase::kForward)].mean_ns, 3_ms);
  EXPECT_EQ(rank.other_mean_ns[index(model::OtherPart::kZones)], 2_ms);
  EXPECT_EQ(rank.other_mean_ns[index(model::OtherPart::kUnnamed)], 0);
}

TEST(RunAnalysis, AZoneInTheFirstStepCountsToItThoughItsEndIsToldLater) {
  TestEvents program;
  for (int i = 0; i < 3; ++i) program.span("augment", Category::kZone, 102_ms).api_step();
  const RankFacts rank = analyse(program).ranks[0];
  EXPECT_EQ(rank.steps.size(), 3U);
  ASSERT_EQ(rank.zones.size(), 1U);
  EXPECT_EQ(rank.zones[0].mean_per_step_ns, 102_ms);
  EXPECT_EQ(rank.other_mean_ns[index(model::OtherPart::kZones)], 102_ms);
}

TEST(RunAnalysis, AZoneBeforeTheFirstCallThatOnlyStartsAStepIsOutside) {
  TestEvents program;
  program.start_loader(1).span("load", Category::kZone, 500_ms);
  for (int i = 0; i < 20; ++i) program.train_on(1);
  EXPECT_EQ(analyse(program).ranks[0].zones.at(0).mean_per_step_ns, 0);
}

TEST(RunAnalysis, ASkippedStepIsFlagged) {
  TestEvents loop;
  loop.start_loader(1);
  for (int i = 0; i < 20; ++i) loop.wait(1).forward().backward().scaler(i == 3);
  const RankFacts rank = analyse(loop).ranks[0];
  ASSERT_EQ(rank.steps.size(), 20U);
  for (std::size_t i = 0; i < 20; ++i) EXPECT_EQ(rank.steps[i].skipped(), i == 3) << i;
}

TEST(RunAnalysis, SaysHowManyEndsLackTheirBegin) {
  TestEvents program;
  program.span("load", Category::kZone, 2_ms);
  EXPECT_TRUE(analyse(program).quality.notes.empty());
  program.end("cut", Category::kZone).end("off", Category::kZone);
  EXPECT_EQ(analyse(program).quality.notes, (std::vector<std::string>{"ends_without_begin: 2"}));
}

TEST(RunAnalysis, AProgramWithoutStepsIsToldByItsZones) {
  TestEvents program;
  program.span("load", Category::kZone, 200_ms).begin("fit", Category::kZone).pass(50_ms);
  program.span("split", Category::kZone, 300_ms).pass(50_ms);
  const RunFacts facts = analyse(program);
  ASSERT_EQ(facts.ranks.size(), 1U);
  const RankFacts& main = facts.ranks[0];
  EXPECT_EQ(main.step_source, StepSource::kNone);
  EXPECT_EQ(main.parts.other_ns, 600_ms);
  ASSERT_EQ(main.zones.size(), 3U);
  EXPECT_EQ(main.zones[0].name, "split");
  EXPECT_EQ(main.zones[1].name, "load");
  EXPECT_EQ(main.zones[2].name, "fit");
  EXPECT_EQ(main.zones[2].total_ns, 400_ms);
  EXPECT_EQ(main.zones[2].self_ns, 100_ms);
}

TEST(RunAnalysis, TwoTrainingsInTwoThreadsAreTwoRanks) {
  TestEvents loop;
  const model::TrackId second = loop.add_track(0);
  for (int i = 0; i < 20; ++i) loop.train_on(1);
  loop.at(TestEvents::kStartNs).on_track(second);
  for (int i = 0; i < 30; ++i) loop.train_on(3, 2);
  const RunFacts facts = analyse(loop);
  ASSERT_EQ(facts.ranks.size(), 2U);
  EXPECT_EQ(facts.ranks[0].steps.size(), 20U);
  EXPECT_EQ(facts.ranks[1].steps.size(), 30U);
}

TEST(RunAnalysis, DeathSaysPhaseZoneAndRank) {
  TestEvents loop;
  loop.text("process.facts", Category::kMark, R"({"rank":2,"python":"3.11.2","torch":"2.13.0"})");
  loop.begin("epoch", Category::kZone);
  for (int i = 0; i < 30; ++i) plain_step(loop);
  loop.wait(1).forward().begin("backward", Category::kBackward).pass(1_ms);
  const model::Run run = analyse(loop, ended(model::EndKind::kSignal, 0, 9)).run;
  EXPECT_EQ(run.end.phase, "backward");
  EXPECT_EQ(run.end.open_zone, "epoch");
  EXPECT_EQ(run.end.file, "train.py");
  EXPECT_EQ(run.end.rank, 2);
  EXPECT_EQ(run.environment.python, "3.11.2");
  EXPECT_EQ(run.environment.torch, "2.13.0");
}

TEST(RunAnalysis, AHooksOwnSpanIsNoZone) {
  TestEvents loop;
  for (int i = 0; i < 30; ++i) plain_step(loop);
  loop.begin("DataLoader.__next__", Category::kDataWait).pass(1_ms);
  const model::RunEnd in_step = analyse(loop, ended(model::EndKind::kSignal, 0, 9)).run.end;
  EXPECT_EQ(in_step.phase, "data_wait");
  EXPECT_EQ(in_step.open_zone, "");

  TestEvents before;
  before.begin("Net.forward", Category::kForwardNoGrad).pass(1_ms);
  const model::RunEnd outside = analyse(before, ended(model::EndKind::kSignal, 0, 9)).run.end;
  EXPECT_EQ(outside.phase, "");
  EXPECT_EQ(outside.open_zone, "Net.forward") << "then it is all that is known";
}

TEST(RunAnalysis, AnExceptionIsToldWithItsPlace) {
  TestEvents program;
  program.span("load", Category::kZone, 1_ms);
  program.text("exception", Category::kException,
               R"({"type":"ValueError","message":"bad batch","file":"data.py","line":41})");
  const model::RunEnd end = analyse(program, ended(model::EndKind::kExit, 1)).run.end;
  EXPECT_EQ(end.exception, "ValueError: bad batch");
  EXPECT_EQ(end.file, "data.py");
  EXPECT_EQ(end.line, 41U);
  EXPECT_EQ(analyse(program, ended(model::EndKind::kExit, 0)).run.end.exception, "");
}

constexpr const char* kBadBatch =
    R"({"type":"ValueError","message":"bad batch","file":"data.py","line":41})";

TEST(RunAnalysis, AnExceptionLeavesBehindWhereItCameFrom) {
  struct Case {
    std::string_view name;
    void (*last)(TestEvents&);  // after 30 steps and the wait for the next batch
    std::string_view phase;
    std::string_view zone;
  };
  const Case cases[] = {
      {"in backward",
       [](TestEvents& loop) {
         loop.forward().span("backward", Category::kBackward, 1_ms, {{"raised", 1}});
       },
       "backward", ""},
      {"innermost of several",
       [](TestEvents& loop) {
         loop.begin("epoch", Category::kZone).begin("backward", Category::kBackward).pass(1_ms);
         loop.span("Net.forward", Category::kForward, 1_ms, {{"raised", 1}}).arg("raised", 1);
         loop.arg("raised", 1).end("backward", Category::kBackward);
         loop.arg("raised", 1).end("epoch", Category::kZone);
       },
       "backward", "epoch"},
      {"cleaning up afterwards",
       [](TestEvents& loop) {
         loop.span("Net.forward", Category::kForward, 1_ms, {{"raised", 1}}).save(5_ms);
         loop.span("report", Category::kZone, 1_ms);
       },
       "forward", ""},
      {"raised in a worker, told by the loader",
       [](TestEvents& loop) {
         loop.wait(1, 1_ms, {{"raised", 1}});
       },
       "data_wait", ""},
      {"caught, and the training went on",
       [](TestEvents& loop) {
         loop.span("Net.forward", Category::kForward, 1_ms, {{"raised", 1}});
         loop.forward().backward().step();
       },
       "", ""},
      {"in a zone of the user",
       [](TestEvents& loop) {
         loop.span("export", Category::kZone, 1_ms, {{"raised", 1}});
       },
       "other", "export"},
      {"caught in the zone around it",
       [](TestEvents& loop) {
         loop.begin("attempt", Category::kZone).pass(1_ms);
         loop.span("parse", Category::kZone, 1_ms, {{"raised", 1}});
         loop.end("attempt", Category::kZone);
       },
       "", ""},
      {"outside of every span", [](TestEvents& loop) { loop.forward().pass(1_ms); }, "", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    TestEvents loop;
    loop.text("process.facts", Category::kMark, R"({"rank":0})");
    for (int i = 0; i < 30; ++i) plain_step(loop);
    loop.wait(1);
    c.last(loop);
    loop.text("exception", Category::kException, kBadBatch);
    const model::RunEnd end = analyse(loop, ended(model::EndKind::kExit, 1)).run.end;
    EXPECT_EQ(end.exception, "ValueError: bad batch");
    EXPECT_EQ(end.phase, c.phase);
    EXPECT_EQ(end.open_zone, c.zone);
    EXPECT_EQ(end.file, "data.py");
    EXPECT_EQ(end.rank, 0);
  }
}

TEST(RunAnalysis, AnExceptionBeforeTheFirstStepHasItsPhaseToo) {
  TestEvents loop;
  loop.wait(1).span("Net.forward", Category::kForward, 1_ms, {{"raised", 1}});
  loop.text("exception", Category::kException, kBadBatch);
  EXPECT_EQ(analyse(loop, ended(model::EndKind::kExit, 1)).run.end.phase, "forward");
}

TEST(RunAnalysis, OfSeveralRanksTheFirstThatFailedSaysWhatHappened) {
  TestEvents loop;
  std::vector<model::TrackId> ranks;
  for (int rank = 0; rank < 3; ++rank) {
    ranks.push_back(loop.add_track(loop.add_process(200 + rank, 100)));
    loop.at(TestEvents::kStartNs).on_track(ranks.back());
    loop.text("process.facts", Category::kMark, "{\"rank\":" + std::to_string(rank) + "}");
    for (int i = 0; i < 30; ++i) plain_step(loop);
  }
  const std::int64_t after_ns = loop.now_ns();
  loop.on_track(ranks[2]).forward().span("backward", Category::kBackward, 1_ms, {{"raised", 1}});
  loop.text("exception", Category::kException, kBadBatch);
  loop.at(after_ns + 900_ms).on_track(ranks[0]);
  loop.span("Net.forward", Category::kForward, 1_ms, {{"raised", 1}});
  loop.text("exception", Category::kException, R"({"type":"RuntimeError","message":"peer gone"})");
  loop.on_track(ranks[1]).begin("all_reduce", Category::kCommWait).pass(1_ms);
  loop.on_track(model::TrackId{0}).pass(1_ms);
  loop.text("exception", Category::kException, R"({"type":"ChildFailedError","message":""})");
  const model::RunEnd end = analyse(loop, ended(model::EndKind::kExit, 1)).run.end;
  EXPECT_EQ(end.exception, "ValueError: bad batch");
  EXPECT_EQ(end.phase, "backward");
  EXPECT_EQ(end.rank, 2);
}

TEST(RunAnalysis, EventsThatNoTableKnowsAreCounted) {
  TestEvents loop;
  loop.wait(1);
  std::vector<model::Event> events = loop.events();
  events[0].site = model::SiteId{999};
  events[1].track = model::TrackId{999};
  RunAnalysis analysis;
  analysis.add_events(loop.tables(), events);
  EXPECT_EQ(analysis.malformed(), 2U);
  EXPECT_EQ(analysis.facts({}, {}, loop.tables()).quality.malformed, 2U);
}

TEST(RunAnalysis, AnEmptyRunHasAMainProcess) {
  const RunAnalysis analysis;
  const RunFacts facts = analysis.facts({}, {}, {});
  ASSERT_EQ(facts.ranks.size(), 1U);
  EXPECT_TRUE(facts.ranks[0].steps.empty());
}

TEST(RunAnalysis, OneBatchOfEventsOrManyGiveTheSame) {
  TestEvents loop;
  for (int i = 0; i < 200; ++i) plain_step(loop);
  RunAnalysis whole;
  whole.add_events(loop.tables(), loop.events());
  RunAnalysis pieces;
  for (std::size_t i = 0; i < loop.events().size(); i += 7) {
    const std::size_t n = std::min<std::size_t>(7, loop.events().size() - i);
    pieces.add_events(loop.tables(), std::span(loop.events()).subspan(i, n));
    if (i % 70 == 0) (void)pieces.facts({}, {}, loop.tables());
  }
  const RunFacts a = whole.facts({}, {}, loop.tables());
  const RunFacts b = pieces.facts({}, {}, loop.tables());
  ASSERT_EQ(a.ranks[0].steps.size(), b.ranks[0].steps.size());
  EXPECT_EQ(a.ranks[0].stats.mean_ns, b.ranks[0].stats.mean_ns);
  EXPECT_EQ(a.ranks[0].parts.steps_ns, b.ranks[0].parts.steps_ns);
}

}  // namespace
}  // namespace latido::analysis
