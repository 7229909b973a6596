#include "agent/look_budget.h"

#include <gtest/gtest.h>

namespace latido::agent {
namespace {

constexpr std::int64_t kFull_ns = 10'000'000;  // 100 Hz
constexpr std::int64_t kSecond_ns = 1'000'000'000;

struct Looked {
  std::int64_t looks = 0;
  std::int64_t cost_ns = 0;
};

// For so long, looks that cost so much each, as often as the budget lets them.
Looked look(LookBudget& budget, std::int64_t cost_ns, std::int64_t for_ns) {
  Looked looked;
  for (std::int64_t at_ns = 0; at_ns < for_ns; ++looked.looks) {
    const std::int64_t passed_ns = budget.interval_ns();
    at_ns += passed_ns;
    budget.spend(cost_ns, passed_ns);
    looked.cost_ns += cost_ns;
  }
  return looked;
}

TEST(LookBudget, CheapLooksComeAtTheFullRate) {
  LookBudget budget(0.004, kFull_ns);
  EXPECT_EQ(look(budget, 40'000, 600 * kSecond_ns).looks, 60'000);
}

TEST(LookBudget, DearLooksCostTheirShareOfACoreInTheLongRun) {
  LookBudget budget(0.004, kFull_ns);
  look(budget, 160'000, 60 * kSecond_ns);  // the purse is used up
  const Looked looked = look(budget, 160'000, 600 * kSecond_ns);
  EXPECT_NEAR(static_cast<double>(looked.cost_ns), 0.004 * 600e9, 0.02 * 0.004 * 600e9);
}

TEST(LookBudget, AStartIsPaidFromThePurse) {
  LookBudget budget(0.004, kFull_ns);
  EXPECT_GT(look(budget, 160'000, 2 * kSecond_ns).looks, 170);
}

TEST(LookBudget, AfterDearLooksCheapOnesComeAtTheFullRateAgain) {
  LookBudget budget(0.004, kFull_ns);
  look(budget, 400'000, 100 * kSecond_ns);
  look(budget, 20'000, 100 * kSecond_ns);
  EXPECT_EQ(budget.interval_ns(), kFull_ns);
}

TEST(LookBudget, ALookThatWasVeryDearSlowsButNeverStops) {
  LookBudget budget(0.004, kFull_ns);
  budget.spend(100 * kSecond_ns, kFull_ns);
  EXPECT_EQ(budget.interval_ns(), LookBudget::kLongest_ns);
  look(budget, 30'000, 400 * kSecond_ns);
  EXPECT_EQ(budget.interval_ns(), kFull_ns);
}

TEST(LookBudget, WithoutALimitTheRateIsAsAskedFor) {
  LookBudget budget(0, kFull_ns);
  EXPECT_EQ(look(budget, 9'000'000, 10 * kSecond_ns).looks, 1000);
}

}  // namespace
}  // namespace latido::agent
