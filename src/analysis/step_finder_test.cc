#include "analysis/step_finder.h"

#include <gtest/gtest.h>

#include "analysis/update_rhythm.h"

namespace latido::analysis {
namespace {

// Beats 1 µs apart, all of the time unnamed.
class Beats {
 public:
  Beat next(BeatKind kind, std::uint32_t id = kUnknownId) {
    Beat beat;
    beat.kind = kind;
    beat.id = id;
    beat.begin = now_;
    now_.ts_ns += 1000;
    now_.spent_ns[index_of(Bucket::kUnnamed)] += 1000;
    beat.end = now_;
    return beat;
  }
  const Mark& now() const { return now_; }

 private:
  Mark now_;
};

TEST(StepFinder, IsSureOfAStepOnlyWhenItsRhythmIsKnown) {
  StepFinder finder;
  Beats beats;
  std::vector<FoundStep> sure;
  for (std::size_t i = 0; i < 100; ++i) {
    finder.add(beats.next(BeatKind::kWait, 1), sure);
    finder.add(beats.next(BeatKind::kBackward), sure);
    finder.add(beats.next(BeatKind::kUpdate, 1), sure);
  }
  const StepFinder::Rest rest = finder.flush(beats.now());
  EXPECT_EQ(sure.size() + rest.steps.size(), 100U);
  EXPECT_NEAR(static_cast<double>(rest.steps.size()), kRhythmLookAhead, 2);
  EXPECT_TRUE(rest.in_step);
}

TEST(StepFinder, FlushChangesNothing) {
  StepFinder finder;
  Beats beats;
  std::vector<FoundStep> sure;
  for (std::size_t i = 0; i < 20; ++i) {
    finder.add(beats.next(BeatKind::kBackward), sure);
    finder.add(beats.next(BeatKind::kUpdate, static_cast<std::uint32_t>(i % 2)), sure);
    (void)finder.flush(beats.now());
  }
  EXPECT_EQ(finder.flush(beats.now()).steps.size(), 10U);
  EXPECT_EQ(finder.flush(beats.now()).steps.size(), 10U);
}

TEST(StepFinder, ALongEvaluationDoesNotPileUp) {
  StepFinder finder;
  Beats beats;
  std::vector<FoundStep> sure;
  for (int i = 0; i < 10; ++i) {
    finder.add(beats.next(BeatKind::kWait, 1), sure);
    finder.add(beats.next(BeatKind::kBackward), sure);
    finder.add(beats.next(BeatKind::kUpdate, 1), sure);
  }
  for (std::size_t i = 0; i < 2 * StepFinder::kMaxPending; ++i) {
    finder.add(beats.next(BeatKind::kWait, 2), sure);
    finder.add(beats.next(BeatKind::kNoGrad), sure);
  }
  // The updates before it were judged with what was known: all is sure, nothing waits.
  EXPECT_EQ(sure.size(), 10U);
  const StepFinder::Rest rest = finder.flush(beats.now());
  EXPECT_TRUE(rest.steps.empty());
  EXPECT_EQ(rest.outside.evaluations, 1U);
  EXPECT_EQ(rest.outside.evaluation_ns,
            static_cast<std::int64_t>(4 * StepFinder::kMaxPending) * 1000);
}

TEST(StepFinder, StepsFoundBeforeTheFirstApiCallStay) {
  StepFinder finder;
  Beats beats;
  std::vector<FoundStep> steps;
  const auto train = [&](bool api) {
    finder.add(beats.next(BeatKind::kWait, 1), steps);
    finder.add(beats.next(BeatKind::kBackward), steps);
    finder.add(beats.next(BeatKind::kUpdate, 1), steps);
    if (api) finder.add(beats.next(BeatKind::kStepEnd), steps);
  };
  for (int i = 0; i < 100; ++i) train(false);
  const std::size_t before = steps.size();
  EXPECT_GT(before, 50U);
  for (int i = 0; i < 30; ++i) train(true);
  const std::size_t all = steps.size() + finder.flush(beats.now()).steps.size();
  EXPECT_GE(all, before + 30);
  EXPECT_LE(all, before + 32);
  for (std::size_t i = 1; i < steps.size(); ++i) {
    EXPECT_GE(steps[i].step.start_ns, steps[i - 1].step.end_ns());
  }
}

}  // namespace
}  // namespace latido::analysis
