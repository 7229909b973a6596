#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

constexpr double kMiB = 1024.0 * 1024.0;

// 400 steps of 92 ms, 20 MiB more after each.
RunFacts leaking_run() {
  RunFacts facts = steady_run({}, 400);
  analysis::ResourceCurve curve{.metric = "run.rss_bytes", .ts_ns = {}, .values = {}};
  for (int i = 0; i < 400; i += 4) {
    curve.ts_ns.push_back(facts.ranks.front().steady_start_ns + i * 92 * kMs);
    curve.values.push_back((1000 + i * 20) * kMiB);
  }
  facts.curves.push_back(curve);
  facts.resources.rss_growth_bytes_per_step = 20 * kMiB;
  facts.resources.rss_growth_low_bytes_per_step = 19 * kMiB;
  facts.resources.rss_growth_high_bytes_per_step = 21 * kMiB;
  return facts;
}

// A minute of a program whose memory goes from 1 to `end_gib` GiB at an even rate.
RunFacts growing_program(double end_gib) {
  RunFacts facts = plain_program();
  analysis::ResourceCurve curve{.metric = "run.rss_bytes", .ts_ns = {}, .values = {}};
  constexpr int kPoints = 120;
  for (int i = 0; i < kPoints; ++i) {
    curve.ts_ns.push_back(i * 500 * kMs);
    curve.values.push_back((1 + (end_gib - 1) * i / kPoints) * 1024 * kMiB);
  }
  facts.curves.push_back(curve);
  facts.resources.memory_available_bytes = 2 * 1024 * kMiB;
  return facts;
}

TEST(MemoryGrowing, FiresWhenEveryStepLeavesSomethingBehind) {
  expect_cases(check_memory_growing, leaking_run(),
               {
                   {"positive", [](RunFacts&) {}, true},
                   {"boundary: a tenth of the run's memory",
                    [](RunFacts& f) {
                      f.resources.run_rss_peak_bytes = 10 * 400 * 2.5 * kMiB;
                      f.resources.memory_available_bytes = 1e12;
                      f.resources.memory_limit_bytes = 1e12;
                      f.resources.rss_growth_bytes_per_step = 2.5 * kMiB;
                    },
                    true},
                   {"near miss: less than a tenth, and room for long",
                    [](RunFacts& f) {
                      f.resources.run_rss_peak_bytes = 40e9;
                      f.resources.memory_available_bytes = 1e12;
                      f.resources.memory_limit_bytes = 1e12;
                      f.resources.rss_growth_bytes_per_step = 2 * kMiB;
                    },
                    false},
                   {"near miss: might as well be none",
                    [](RunFacts& f) { f.resources.rss_growth_low_bytes_per_step = 0; }, false},
                   {"near miss: a cache that fills",
                    [](RunFacts& f) {
                      f.resources.rss_growth_bytes_per_step = 0.15 * kMiB;
                      f.resources.rss_growth_low_bytes_per_step = 0.1 * kMiB;
                    },
                    false},
                   {"not sampled",
                    [](RunFacts& f) { f.resources.rss_growth_bytes_per_step.reset(); }, false},
               });
}

// Both halves of a steady window: growth until `until_step`, then none.
void stop_growing(RunFacts& facts, std::size_t until_step) {
  auto& values = facts.curves.front().values;
  for (std::size_t i = until_step / 4; i < values.size(); ++i) values[i] = values[until_step / 4];
}

TEST(MemoryGrowing, IsSilentWhileCachesAndWorkersWarmUp) {
  expect_cases(
      check_memory_growing, leaking_run(),
      {
          {"boundary: so many steps", [](RunFacts& f) { f.ranks.front().stats.count = 200; }, true},
          {"near miss: 18 s, 199 steps", [](RunFacts& f) { f.ranks.front().stats.count = 199; },
           false},
          {"boundary: 30 s of long steps",
           [](RunFacts& f) {
             f.ranks.front().stats.count = 20;
             f.ranks.front().stats.mean_ns = 1500 * kMs;
           },
           true},
          {"near miss: 29 s of long steps",
           [](RunFacts& f) {
             f.ranks.front().stats.count = 20;
             f.ranks.front().stats.mean_ns = 1450 * kMs;
           },
           false},
          {"near miss: it stopped in the first half", [](RunFacts& f) { stop_growing(f, 160); },
           false},
          {"near miss: it stopped in the second half", [](RunFacts& f) { stop_growing(f, 240); },
           false},
          {"no curve to see it go on", [](RunFacts& f) { f.curves.clear(); }, false},
      });
}

TEST(MemoryGrowing, TheFirstPassOfWorkersIsHeldAgainstTheLimitOnly) {
  RunFacts roomy = leaking_run();
  add_loader(roomy, 2, 50);
  roomy.resources.memory_available_bytes = 1e12;
  roomy.resources.memory_limit_bytes = 1e12;
  expect_cases(check_memory_growing, roomy,
               {
                   {"near miss: no pass is complete", [](RunFacts&) {}, false},
                   {"a pass is complete",
                    [](RunFacts& f) { f.ranks.front().loader->pass_batches = 100; }, true},
                   {"no workers", [](RunFacts& f) { f.ranks.front().loader->workers = 0; }, true},
                   {"the limit is near",
                    [](RunFacts& f) { f.resources.memory_available_bytes = 2e9; }, true},
               });
}

TEST(MemoryGrowing, SaysWhenTheLimitIsReached) {
  RunFacts facts = leaking_run();
  facts.resources.memory_available_bytes = 2000 * 20 * kMiB;
  facts.resources.memory_limit_bytes = 64e9;
  EXPECT_EQ(check_memory_growing(facts, {})->headline.id, "memory_growing.headline");
  facts.resources.memory_available_bytes = 100 * 20 * kMiB;
  const auto finding = check_memory_growing(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->headline.id, "memory_growing.headline_limit");
  EXPECT_EQ(number(finding->headline, "steps_left"), 100);
  EXPECT_EQ(number(finding->headline, "left_ns"), 9200.0 * kMs);
  EXPECT_EQ(finding->run_saved_ratio, 1.0) << "it would not live twice as long: lost as a whole";
}

TEST(MemoryGrowing, WatchesProgramsWithoutSteps) {
  expect_cases(
      check_memory_growing, growing_program(5),
      {
          {"positive", [](RunFacts&) {}, true},
          {"near miss: loaded, then even",
           [](RunFacts& f) {
             auto& values = f.curves.front().values;
             for (std::size_t i = values.size() / 2; i < values.size(); ++i) values[i] = values[60];
           },
           false},
          {"near miss: room for hours",
           [](RunFacts& f) {
             f.resources.memory_available_bytes = 1e12;
             f.resources.memory_limit_bytes = 2e12;
           },
           false},
          {"near miss: it ended, and had enough",
           [](RunFacts& f) { f.run.end.kind = model::EndKind::kExit; }, false},
          {"killed for it", [](RunFacts& f) { f.run.end.kind = model::EndKind::kSignal; }, true},
          {"too few points",
           [](RunFacts& f) {
             f.curves.front().values.resize(20);
             f.curves.front().ts_ns.resize(20);
           },
           false},
          {"no curve", [](RunFacts& f) { f.curves.clear(); }, false},
      });
}

}  // namespace
}  // namespace latido::diagnosis
