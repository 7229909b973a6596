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
  parts.evaluation_ns = std::llround(ratio / (1 - ratio) * static_cast<double>(parts.sum_ns()));
  parts.evaluations = 30;
  return facts;
}

TEST(EvaluationHeavy, FiresAtItsShareOfTheRun) {
  struct Case {
    std::string_view name;
    double ratio;
    bool fires;
  };
  const Case cases[] = {{"positive", 0.25 * 2, true},
                        {"boundary", 0.25 + 1e-6, true},
                        {"near miss", 0.25 - 1e-6, false},
                        {"none", 0, false}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    expect_cases(check_evaluation_heavy, interrupted_run(c.ratio),
                 {{c.name, [](RunFacts&) {}, c.fires}});
  }
}

TEST(EvaluationHeavy, CountsWhatHappensInsideSteps) {
  RunFacts facts = steady_run();
  facts.ranks.front().other_mean_ns[static_cast<std::size_t>(model::OtherPart::kEvaluation)] =
      40 * kMs;
  facts.ranks.front().parts.evaluations = 30;
  const auto finding = check_evaluation_heavy(facts, {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_EQ(mismatches(*finding), "");
  EXPECT_NE(find_message(*finding, "evaluation_heavy.evidence.in_steps"), nullptr);
}

TEST(EvaluationHeavy, IsAboutTrainingsThatWereEvaluated) {
  expect_cases(
      check_evaluation_heavy, interrupted_run(0.5),
      {{"positive", [](RunFacts&) {}, true},
       {"no pass was counted", [](RunFacts& f) { f.ranks.front().parts.evaluations = 0; }, false},
       {"inference: no backward pass",
        [](RunFacts& f) {
          auto& rank = f.ranks.front();
          rank.phases[static_cast<std::size_t>(model::Phase::kBackward)].mean_ns =
              model::kNotMeasured;
          for (model::Step& step : rank.steps) step.backwards = 0;
        },
        false}});
}

TEST(EvaluationHeavy, HalfAsOftenSavesHalf) {
  const auto finding = check_evaluation_heavy(interrupted_run(0.4), {});
  ASSERT_TRUE(finding.has_value());
  EXPECT_NEAR(finding->run_saved_ratio, 0.2, 1e-6);
}

TEST(EvaluationHeavy, SaysNothingOfProgramsWithoutSteps) {
  RunFacts facts = plain_program();
  facts.ranks.front().parts.evaluation_ns = 50'000 * kMs;
  EXPECT_FALSE(check_evaluation_heavy(facts, {}).has_value());
}

}  // namespace
}  // namespace latido::diagnosis
