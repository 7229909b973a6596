#include "agent/overhead_budget.h"

#include <gtest/gtest.h>

#include <limits>

namespace latido::agent {
namespace {

using capture::Reduction;

constexpr std::int64_t kSecond_ns = 1'000'000'000;
constexpr double kBudget = 0.01;

// Spends `ratio` of the time for `seconds`, asked each second. Returns how often the detail changed.
class Spending {
 public:
  int spend(double ratio, int seconds) {
    int changes = 0;
    for (int i = 0; i < seconds; ++i) {
      now_ns_ += kSecond_ns;
      if (budget.spend(now_ns_, ratio * 1e9)) ++changes;
    }
    return changes;
  }

  OverheadBudget budget{kBudget};

 private:
  std::int64_t now_ns_ = 5 * kSecond_ns;
};

TEST(OverheadBudget, KeepsAllDetailOfWhatItCanPay) {
  Spending run;
  EXPECT_EQ(run.spend(kBudget, 10'000), 0);
  EXPECT_EQ(run.budget.reduction(), Reduction::kNone);
}

TEST(OverheadBudget, PaysForABurstFromWhatItSaved) {
  Spending run;
  EXPECT_EQ(run.spend(0.05, 2), 0) << "0.1 s, all that was saved";
  EXPECT_EQ(run.spend(0.001, 100), 0);
  EXPECT_EQ(run.spend(0.05, 2), 0) << "saved again";
}

TEST(OverheadBudget, FallsByOneLevelAfterAnother) {
  Spending run;
  EXPECT_EQ(run.spend(0.5, 1), 1) << "the dearer, the sooner";
  EXPECT_EQ(run.budget.reduction(), Reduction::kAdaptive);
  EXPECT_EQ(run.spend(0.5, 1), 1);
  EXPECT_EQ(run.budget.reduction(), Reduction::kNoRearm);
  EXPECT_EQ(run.spend(0.5, 1), 1);
  EXPECT_EQ(run.budget.reduction(), Reduction::kStepsOnly);
  EXPECT_EQ(run.spend(0.5, 100), 0) << "there is nothing left to give up";
}

TEST(OverheadBudget, WaitsForTheEffectOfAFall) {
  Spending run;
  run.spend(0.5, 1);
  EXPECT_EQ(run.spend(0.015, 3), 0) << "a little too much: not at once";
  EXPECT_EQ(run.spend(0.015, 3), 1);
}

TEST(OverheadBudget, RisesOnceInTenMinutesAtMostAndByOneLevel) {
  Spending run;
  run.spend(0.5, 2);
  ASSERT_EQ(run.budget.reduction(), Reduction::kNoRearm);
  EXPECT_EQ(run.spend(0.001, 599), 0);
  EXPECT_EQ(run.spend(0.001, 1), 1);
  EXPECT_EQ(run.budget.reduction(), Reduction::kAdaptive);
  EXPECT_EQ(run.spend(0.001, 599), 0);
  EXPECT_EQ(run.spend(0.001, 1), 1);
  EXPECT_EQ(run.budget.reduction(), Reduction::kNone);
  EXPECT_EQ(run.spend(0.001, 5000), 0);
}

TEST(OverheadBudget, StaysWhereMoreDetailWouldNotBeAffordable) {
  Spending run;
  run.spend(0.5, 1);
  EXPECT_EQ(run.spend(0.009, 5000), 0);
  EXPECT_EQ(run.budget.reduction(), Reduction::kAdaptive);
}

TEST(OverheadBudget, PaysForAllWithoutALimit) {
  OverheadBudget budget(std::numeric_limits<double>::infinity());
  for (std::int64_t i = 1; i < 2000; ++i) EXPECT_FALSE(budget.spend(i * kSecond_ns, 1e12));
  EXPECT_EQ(budget.reduction(), Reduction::kNone);
}

TEST(OverheadBudget, OwesNothingForAClockThatWentBack) {
  OverheadBudget budget(kBudget);
  EXPECT_FALSE(budget.spend(100 * kSecond_ns, 0));
  EXPECT_FALSE(budget.spend(50 * kSecond_ns, 1e7));
  EXPECT_EQ(budget.reduction(), Reduction::kNone);
}

}  // namespace
}  // namespace latido::agent
