#include "analysis/detail_cost.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "model/run.h"

namespace latido::analysis {
namespace {

using model::Reduction;

struct Made {
  double cost = 0;      // of detail
  double noise = 0.02;  // of each step
  double drift = 0;     // of the machine's speed over the whole run
  int turns = 60;
  int steps_a_turn = 50;
};

std::vector<model::Step> steps_of(const Made& made) {
  std::mt19937 random(7);
  std::normal_distribution<double> noise(0, made.noise);
  std::vector<model::Step> steps;
  for (int turn = 0; turn < made.turns; ++turn) {
    const Reduction reduction = turn % 2 == 0 ? Reduction::kNone : Reduction::kStepsOnly;
    for (int i = 0; i < made.steps_a_turn; ++i) {
      const double speed = 1 + made.drift * turn / made.turns;
      const double detail = reduction == Reduction::kNone ? 1 + made.cost : 1;
      model::Step step;
      step.wall_ns = std::llround(1e7 * speed * detail * (1 + noise(random)));
      step.flags = static_cast<std::uint8_t>(static_cast<unsigned>(reduction)
                                             << model::StepFlags::kReductionShift);
      steps.push_back(step);
    }
  }
  return steps;
}

TEST(DetailCost, FindsWhatTheDetailCosts) {
  for (const double cost : {0.0, 0.005, 0.05, 0.5}) {
    const auto found = detail_cost(steps_of({.cost = cost}));
    ASSERT_TRUE(found.has_value()) << cost;
    EXPECT_LE(found->low_ratio, cost);
    EXPECT_GE(found->high_ratio, cost);
    EXPECT_LT(found->high_ratio - found->low_ratio, 0.02) << cost;
    EXPECT_EQ(found->turns, 59U);
  }
}

TEST(DetailCost, IsNotMisledByAMachineThatSlowsDown) {
  const auto found = detail_cost(steps_of({.cost = 0.01, .drift = 1}));
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->ratio, 0.01, 0.005);
}

TEST(DetailCost, LeavesOutTheStepsThatPayForAChange) {
  Made made{.cost = 0.01};
  std::vector<model::Step> steps = steps_of(made);
  for (std::size_t i = 0; i < steps.size(); i += 50) steps[i].wall_ns *= 20;
  const auto found = detail_cost(steps);
  ASSERT_TRUE(found.has_value());
  EXPECT_NEAR(found->ratio, 0.01, 0.005);
}

TEST(DetailCost, IsUnknownWithFewTurnsOrNone) {
  EXPECT_FALSE(detail_cost({}).has_value());
  EXPECT_FALSE(detail_cost(steps_of({.turns = 1})).has_value());
  EXPECT_FALSE(detail_cost(steps_of({.turns = 8})).has_value()) << "7 differences";
  EXPECT_TRUE(detail_cost(steps_of({.turns = 9})).has_value());
  EXPECT_FALSE(detail_cost(steps_of({.steps_a_turn = 1})).has_value());
}

TEST(DetailCost, OverlooksWhatTheBudgetGaveUp) {
  std::vector<model::Step> steps = steps_of({});
  for (model::Step& step : steps) {
    if (step.reduction() == static_cast<unsigned>(Reduction::kStepsOnly)) {
      step.flags = static_cast<std::uint8_t>(static_cast<unsigned>(Reduction::kAdaptive)
                                             << model::StepFlags::kReductionShift);
    }
  }
  EXPECT_FALSE(detail_cost(steps).has_value());
}

}  // namespace
}  // namespace latido::analysis
