#include "analysis/detail_log.h"

#include <gtest/gtest.h>

namespace latido::analysis {
namespace {

using model::Reduction;

TEST(DetailLog, SaysWhatWasInForceBeforeAMoment) {
  DetailLog log;
  EXPECT_EQ(log.at(100), Reduction::kNone);
  log.add(10, 3);
  log.add(20, 0);
  log.add(30, 1);
  EXPECT_EQ(log.at(10), Reduction::kNone) << "a step that ends at the change was before it";
  EXPECT_EQ(log.at(11), Reduction::kStepsOnly);
  EXPECT_EQ(log.at(20), Reduction::kStepsOnly);
  EXPECT_EQ(log.at(25), Reduction::kNone);
  EXPECT_EQ(log.at(1000), Reduction::kAdaptive);
}

TEST(DetailLog, IgnoresWhatIsNoReduction) {
  DetailLog log;
  log.add(10, 4);
  log.add(20, ~0ULL);
  EXPECT_EQ(log.at(30), Reduction::kNone);
}

TEST(DetailLog, IsBounded) {
  DetailLog log;
  for (std::size_t i = 0; i < DetailLog::kMost + 10; ++i) {
    log.add(static_cast<std::int64_t>(i), i % 2 == 0 ? 0 : 3);
  }
  EXPECT_EQ(log.at(1'000'000'000), Reduction::kStepsOnly) << "the last that was kept";
}

}  // namespace
}  // namespace latido::analysis
