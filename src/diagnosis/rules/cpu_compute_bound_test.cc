#include <gtest/gtest.h>

#include <string_view>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

RunFacts computing_run() {
  RunFacts facts = steady_run();
  facts.resources.cpu_busy_cores = 7.8;
  facts.resources.run_cpu_cores = 7.7;
  facts.resources.main_cpu_cores = 7.6;
  return facts;
}

TEST(CpuComputeBound, FiresWhenComputingTakesAllCores) {
  expect_cases(
      check_cpu_compute_bound, computing_run(),
      {
          {"positive", [](RunFacts&) {}, true},
          {"boundary of the cores", [](RunFacts& f) { f.resources.cpu_busy_cores = 7.2; }, true},
          {"near miss: cores are left", [](RunFacts& f) { f.resources.cpu_busy_cores = 7.19; },
           false},
          {"near miss: a device computes",
           [](RunFacts& f) { f.ranks.front().phases[1].mean_ns = 2 * kMs; }, false},
          {"not sampled", [](RunFacts& f) { f.resources.cpu_busy_cores.reset(); }, false},
          {"main process not sampled", [](RunFacts& f) { f.resources.main_cpu_cores.reset(); },
           true},
      });
}

TEST(CpuComputeBound, NeedsComputingToBeMostOfALongStep) {
  struct Case {
    std::string_view name;
    StepParts parts;
    bool fires;
  };
  const Case cases[] = {
      {"boundary of the share",
       {.wait_ms = 20, .forward_ms = 30, .backward_ms = 40, .optimizer_ms = 10, .other_ms = 0},
       true},
      {"near miss: the share",
       {.wait_ms = 21, .forward_ms = 30, .backward_ms = 39, .optimizer_ms = 10, .other_ms = 0},
       false},
      {"boundary of the length",
       {.wait_ms = 0, .forward_ms = 20, .backward_ms = 25, .optimizer_ms = 5, .other_ms = 0},
       true},
      {"near miss: too short for a GPU",
       {.wait_ms = 0, .forward_ms = 20, .backward_ms = 25, .optimizer_ms = 4.9, .other_ms = 0},
       false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts facts = steady_run(c.parts);
    facts.resources = computing_run().resources;
    EXPECT_EQ(check_cpu_compute_bound(facts, {}).has_value(), c.fires);
  }
}

TEST(CpuComputeBound, SaysThatNothingWaitsOnlyWhereThatWasSeen) {
  struct Case {
    std::string_view name;
    double other_ms;
    bool wait_measured;
    std::string_view headline;
  };
  const Case cases[] = {
      {"seen", 9.9, true, "cpu_compute_bound.headline"},
      {"no loader was seen", 1, false, "cpu_compute_bound.headline_limit"},
      {"a tenth has no name", 10, true, "cpu_compute_bound.headline_limit"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts facts = steady_run({.wait_ms = 0,
                                 .forward_ms = 30,
                                 .backward_ms = 50,
                                 .optimizer_ms = 20 - c.other_ms,
                                 .other_ms = c.other_ms});
    facts.resources = computing_run().resources;
    auto& wait = facts.ranks.front().phases[static_cast<std::size_t>(model::Phase::kDataWait)];
    if (!c.wait_measured) wait.mean_ns = model::kNotMeasured;
    const auto finding = check_cpu_compute_bound(facts, {});
    ASSERT_TRUE(finding.has_value());
    EXPECT_EQ(mismatches(*finding), "");
    EXPECT_EQ(finding->headline.id, c.headline);
    EXPECT_EQ(find_message(*finding, "cpu_compute_bound.evidence.input_not_cause") != nullptr,
              c.wait_measured);
    EXPECT_EQ(find_message(*finding, "other_heavy.evidence.parts") != nullptr, c.other_ms >= 10);
  }
}

TEST(CpuComputeBound, WhatRunsOnOneCoreStays) {
  RunFacts facts = computing_run();
  const auto parallel = check_cpu_compute_bound(facts, {});
  facts.resources.main_cpu_cores = 4.0;
  const auto half_serial = check_cpu_compute_bound(facts, {});
  ASSERT_TRUE(parallel && half_serial);
  EXPECT_LT(half_serial->gain->saved_ns(), parallel->gain->saved_ns());
  EXPECT_NE(find_message(*half_serial, "cpu_compute_bound.limit.serial"), nullptr);
}

}  // namespace
}  // namespace latido::diagnosis
