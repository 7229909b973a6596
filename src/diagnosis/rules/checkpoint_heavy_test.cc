#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "diagnosis/facts_fixture.h"
#include "diagnosis/rules/rules.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

// The 100 steps take 9.2 s; with start-up the rank lives for 10.2 s and what is added here.
RunFacts interrupted_run(double ratio) {
  RunFacts facts = steady_run();
  auto& parts = facts.ranks.front().parts;
  parts.checkpoint_ns = std::llround(ratio / (1 - ratio) * static_cast<double>(parts.sum_ns()));
  parts.checkpoints = 30;
  return facts;
}

TEST(CheckpointHeavy, FiresAtItsShareOfTheRun) {
  struct Case {
    std::string_view name;
    double ratio;
    bool fires;
  };
  const Case cases[] = {{"positive", 0.05 * 2, true},
                        {"boundary", 0.05 + 1e-6, true},
                        {"near miss", 0.05 - 1e-6, false},
                        {"none", 0, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    expect_cases(check_checkpoint_heavy, interrupted_run(c.ratio),
                 {{c.name, [](RunFacts&) {}, c.fires}});
  }
}

TEST(CheckpointHeavy, CountsWhatHappensInsideSteps) {
  RunFacts facts = steady_run();
  facts.ranks.front().other_mean_ns[static_cast<std::size_t>(model::OtherPart::kCheckpoint)] =
      40 * kMs;
  for (const std::size_t step : {3U, 50U, 97U}) {
    auto& parts = facts.ranks.front().steps[step].other_ns;
    parts[static_cast<std::size_t>(model::OtherPart::kCheckpoint)] = 1'300 * kMs;
  }
  const auto finding = check_checkpoint_heavy(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(mismatches(*finding), "");
  EXPECT_EQ(std::get<std::int64_t>(*finding->headline.params.find("checkpoints")), 3);
  EXPECT_NE(find_message(*finding, "checkpoint_heavy.evidence.in_steps"), nullptr);
}

TEST(CheckpointHeavy, HalfAsOftenSavesHalf) {
  const auto finding = check_checkpoint_heavy(interrupted_run(0.4), {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_NEAR(finding->run_saved_ratio, 0.2, 1e-6);
}

TEST(CheckpointHeavy, SaysNothingOfProgramsWithoutSteps) {
  RunFacts facts = plain_program();
  facts.ranks.front().parts.checkpoint_ns = 50'000 * kMs;
  EXPECT_FALSE(check_checkpoint_heavy(facts, {}).has_value());
}

}  // namespace
}  // namespace latido::diagnosis
