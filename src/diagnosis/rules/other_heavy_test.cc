#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

constexpr auto kZones = static_cast<std::size_t>(model::OtherPart::kZones);
constexpr auto kUnnamed = static_cast<std::size_t>(model::OtherPart::kUnnamed);

RunFacts with_other(double other_ms) {
  return steady_run({.wait_ms = 0,
                     .forward_ms = (100 - other_ms) / 2,
                     .backward_ms = (100 - other_ms) / 2,
                     .optimizer_ms = 0,
                     .other_ms = other_ms});
}

TEST(OtherHeavy, FiresAtItsShareOfTheStep) {
  expect_cases(check_other_heavy, with_other(23), {{"positive", [](RunFacts&) {}, true}});
  expect_cases(check_other_heavy, with_other(15), {{"boundary", [](RunFacts&) {}, true}});
  expect_cases(check_other_heavy, with_other(14.9), {{"near miss", [](RunFacts&) {}, false}});
  expect_cases(check_other_heavy, with_other(23),
               {{"near miss: it is evaluation",
                 [](RunFacts& f) {
                   auto& parts = f.ranks.front().other_mean_ns;
                   parts[static_cast<std::size_t>(model::OtherPart::kEvaluation)] = 20 * kMs;
                   parts[kUnnamed] = 3 * kMs;
                 },
                 false}});
}

// 18 of 100 ms in zone augment, 2 in another, 3 without a name.
RunFacts with_zones() {
  RunFacts facts = with_other(23);
  auto& rank = facts.ranks.front();
  rank.other_mean_ns[kUnnamed] = 3 * kMs;
  rank.other_mean_ns[kZones] = 20 * kMs;
  rank.zones = {{.name = "log", .file = {}, .mean_per_step_ns = 2 * kMs},
                {.name = "augment",
                 .file = "train.py",
                 .line = 40,
                 .calls = 100,
                 .mean_per_step_ns = 18 * kMs}};
  return facts;
}

TEST(OtherHeavy, NamesTheZoneThatTakesMostOfIt) {
  const auto finding = check_other_heavy(with_zones(), {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(mismatches(*finding), "");
  EXPECT_EQ(finding->headline.id, "other_heavy.headline_zone");
  EXPECT_EQ(std::get<std::string>(*finding->action.params.find("zone")), "augment");
}

TEST(OtherHeavy, NamesTheFunctionThatSamplesFindMostOften) {
  RunFacts facts = with_other(40);
  auto& rank = facts.ranks.front();
  rank.sampled_steps_ns = 1000;
  rank.functions = {{.name = "tokenise", .file = "train.py", .line = 5, .sampled_self_ns = 200}};
  const auto finding = check_other_heavy(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(mismatches(*finding), "");
  EXPECT_EQ(finding->headline.id, "other_heavy.headline_function");
  EXPECT_EQ(std::get<std::string>(*finding->action.params.find("function")), "tokenise");
  rank.functions[0].sampled_self_ns = 199;  // less than half of what is to be explained
  EXPECT_EQ(check_other_heavy(facts, {})->headline.id, "other_heavy.headline");
}

TEST(OtherHeavy, PredictsHalfOfTheZoneAndNeverMoreThanAllOfIt) {
  const auto finding = check_other_heavy(with_zones(), {});
  ASSERT_TRUE(finding && finding->gain);
  EXPECT_EQ(finding->gain->step_after_ns, 91 * kMs);
  EXPECT_EQ(finding->gain->low_ns, 82 * kMs) << "the step without the zone";
}

TEST(OtherHeavy, AdvisesWorkersOnlyWhereThereIsALoader) {
  RunFacts facts = with_zones();
  EXPECT_EQ(check_other_heavy(facts, {})->action.id, "other_heavy.action_zone_alone");
  add_loader(facts, 2, 50);
  EXPECT_EQ(check_other_heavy(facts, {})->action.id, "other_heavy.action_zone");
}

TEST(OtherHeavy, AsksForZonesWhenItHasNoName) {
  const auto finding = check_other_heavy(with_other(23), {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(finding->headline.id, "other_heavy.headline");
  EXPECT_FALSE(finding->gain.has_value()) << "naming makes nothing faster";
  EXPECT_NEAR(finding->run_saved_ratio, 0.115, 0.02);
}

}  // namespace
}  // namespace latido::diagnosis
