#include "agent/detail_control.h"

#include <gtest/gtest.h>

namespace latido::agent {
namespace {

using model::Reduction;

constexpr std::int64_t kSecond_ns = 1'000'000'000;

TEST(DetailControl, GivesUpDetailThatCostsTooMuchAndSaysWhen) {
  DetailControl control({.budget_ratio = 0.01});
  for (std::int64_t i = 1; i <= 50; ++i) control.update(i * kSecond_ns, 0.012e9, 0);
  ASSERT_FALSE(control.changes().empty());
  EXPECT_EQ(control.changes().front().reduction, Reduction::kAdaptive);
  EXPECT_EQ(control.changes().front().ts_ns % kSecond_ns, 0);
  EXPECT_EQ(control.changes().back().reduction, control.reduction());
}

TEST(DetailControl, CountsItsOwnShareOfTheMachine) {
  DetailControl idle({.budget_ratio = 0.01, .cores = 2});
  DetailControl busy({.budget_ratio = 0.01, .cores = 2});
  for (std::int64_t i = 1; i <= 60; ++i) {
    idle.update(i * kSecond_ns, 0, i * 18'000'000);  // 0.9 % of two cores
    busy.update(i * kSecond_ns, 0, i * 40'000'000);
  }
  EXPECT_EQ(idle.reduction(), Reduction::kNone);
  EXPECT_NE(busy.reduction(), Reduction::kNone);
}

TEST(DetailControl, BeatsOnceASecondHoweverOftenItIsAsked) {
  DetailControl control({});
  int beats = 0;
  for (std::int64_t now_ns = kSecond_ns; now_ns <= 11 * kSecond_ns; now_ns += kSecond_ns / 10) {
    const std::uint8_t before = control.beat();
    control.update(now_ns, 0, 0);
    if (control.beat() != before) ++beats;
  }
  EXPECT_EQ(beats, 11);
}

TEST(DetailControl, TakesTurnsWhereItMeasuresWhateverTheCost) {
  DetailControl control({.budget_ratio = 0.01, .measure = true});
  int on = 0;
  int off = 0;
  for (std::int64_t now_ns = kSecond_ns; now_ns <= 100 * kSecond_ns; now_ns += kSecond_ns / 10) {
    control.update(now_ns, 1e9, 0);
    ++(control.reduction() == Reduction::kNone ? on : off);
    EXPECT_TRUE(control.reduction() == Reduction::kNone ||
                control.reduction() == Reduction::kStepsOnly);
  }
  EXPECT_GT(on, 300);
  EXPECT_GT(off, 300);
  EXPECT_TRUE(control.changes().empty()) << "nothing was given up";
}

}  // namespace
}  // namespace latido::agent
