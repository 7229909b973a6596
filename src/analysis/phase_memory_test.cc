#include "analysis/phase_memory.h"

#include <gtest/gtest.h>

#include <limits>
#include <utility>
#include <vector>

namespace latido::analysis {
namespace {

MemoryUse of(const PhaseMemory& memory, model::Phase phase) {
  return memory.facts().phases[static_cast<std::size_t>(phase)];
}

TEST(PhaseMemory, GivesEachSampleToWhatTheThreadWasDoing) {
  PhaseMemory memory;
  memory.add_sample(110, 1000);
  memory.add_sample(190, 3000);
  memory.add_sample(250, 5000);
  memory.pass(100, 200, Bucket::kForward, true);
  memory.pass(200, 300, Bucket::kBackward, true);
  const MemoryUse forward = of(memory, model::Phase::kForward);
  EXPECT_EQ(forward.samples, 2U);
  EXPECT_EQ(forward.mean_bytes, 2000);
  EXPECT_EQ(forward.peak_bytes, 3000);
  EXPECT_EQ(of(memory, model::Phase::kBackward).peak_bytes, 5000);
  EXPECT_EQ(of(memory, model::Phase::kOptimizer).samples, 0U);
}

TEST(PhaseMemory, GivesAStepTheMostThatALookSawInIt) {
  PhaseMemory memory;
  for (const auto& [ts, bytes] :
       {std::pair{110, 1000.0}, {150, 4000.0}, {190, 3000.0}, {350, 2000.0}}) {
    memory.add_sample(ts, bytes);
  }
  std::vector<model::Step> steps(3);
  for (std::size_t i = 0; i < steps.size(); ++i) {
    steps[i].start_ns = 100 + 100 * static_cast<std::int64_t>(i);
    steps[i].wall_ns = 100;
  }
  memory.fill_peaks(steps);
  EXPECT_EQ(steps[0].rss_peak_bytes, 4000);
  EXPECT_EQ(steps[1].rss_peak_bytes, model::kNotMeasured) << "no look came in its time";
  EXPECT_EQ(steps[2].rss_peak_bytes, 2000);
}

TEST(PhaseMemory, LetsASampleWaitUntilItsTimeHasPassed) {
  PhaseMemory memory;
  memory.add_sample(350, 1000);
  memory.pass(100, 300, Bucket::kForward, true);
  EXPECT_EQ(of(memory, model::Phase::kForward).samples, 0U);
  memory.pass(300, 350, Bucket::kForward, true);
  EXPECT_EQ(of(memory, model::Phase::kForward).samples, 0U) << "at its time the next thing begins";
  memory.pass(350, 400, Bucket::kOptimizer, true);
  EXPECT_EQ(of(memory, model::Phase::kOptimizer).samples, 1U);
}

TEST(PhaseMemory, KeepsWhatIsOutsideStepsApart) {
  PhaseMemory memory;
  memory.add_sample(10, 1000);
  memory.add_sample(110, 2000);
  memory.add_sample(210, 4000);
  memory.pass(100, 200, Bucket::kForward, true);
  memory.pass(200, 300, Bucket::kEvaluation, false);
  EXPECT_EQ(of(memory, model::Phase::kForward).samples, 1U)
      << "the first came before its last event";
  EXPECT_EQ(memory.facts().outside.samples, 2U);
  EXPECT_EQ(memory.facts().outside.peak_bytes, 4000);
}

TEST(PhaseMemory, TakesThePartsOfOtherTogether) {
  PhaseMemory memory;
  memory.add_sample(10, 1000);
  memory.add_sample(20, 3000);
  memory.pass(0, 15, Bucket::kCheckpoint, true);
  memory.pass(15, 25, Bucket::kUnnamed, true);
  EXPECT_EQ(of(memory, model::Phase::kOther).mean_bytes, 2000);
}

TEST(PhaseMemory, IgnoresNumbersThatAreNone) {
  PhaseMemory memory;
  memory.add_sample(1, std::numeric_limits<double>::quiet_NaN());
  memory.add_sample(2, -1);
  memory.add_sample(3, std::numeric_limits<double>::infinity());
  memory.add_sample(9, 5);
  memory.add_sample(4, 6);
  memory.pass(0, 10, Bucket::kForward, true);
  EXPECT_EQ(of(memory, model::Phase::kForward).samples, 1U);
}

TEST(PhaseMemory, IsBounded) {
  PhaseMemory memory;
  for (std::size_t i = 0; i < PhaseMemory::kMostPending + 100; ++i) {
    memory.add_sample(static_cast<std::int64_t>(i), 1);
  }
  memory.pass(0, 1'000'000'000, Bucket::kForward, true);
  EXPECT_EQ(of(memory, model::Phase::kForward).samples, PhaseMemory::kMostPending);
}

}  // namespace
}  // namespace latido::analysis
