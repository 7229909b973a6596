#include "analysis/span_stack.h"

#include <gtest/gtest.h>

#include <numeric>

namespace latido::analysis {
namespace {

using model::Category;
using model::SiteId;

constexpr SiteId kOuter{1};
constexpr SiteId kInner{2};
constexpr SiteId kOther{3};

TEST(SpanStack, SelfTimeLeavesOutWhatIsInside) {
  SpanStack stack;
  stack.begin(kOuter, Category::kZone, 100);
  stack.begin(kInner, Category::kForward, 130);
  ASSERT_EQ(stack.count_closing(kInner), 1U);
  const ClosedSpan inner = stack.close(180, false);
  ASSERT_EQ(stack.count_closing(kOuter), 1U);
  const ClosedSpan outer = stack.close(200, false);
  EXPECT_EQ(inner.duration_ns(), 50);
  EXPECT_EQ(inner.self_ns(), 50);
  EXPECT_EQ(outer.duration_ns(), 100);
  EXPECT_EQ(outer.self_ns(), 50);
  EXPECT_EQ(stack.now().spent(Bucket::kForward), 50);
  EXPECT_EQ(stack.now().spent(Bucket::kZones), 50);
}

TEST(SpanStack, AnEndWithoutItsBeginIsIgnoredAndCounted) {
  SpanStack stack;
  stack.begin(kOuter, Category::kZone, 100);
  EXPECT_EQ(stack.count_closing(kOther), 0U);
  EXPECT_EQ(stack.unmatched(), 1U);
  EXPECT_EQ(stack.count_closing(kOuter), 1U);
}

TEST(SpanStack, AnEndFurtherOutClosesWhatIsInside) {
  SpanStack stack;
  stack.begin(kOuter, Category::kZone, 100);
  stack.begin(kInner, Category::kOptimizer, 110);
  EXPECT_EQ(stack.count_closing(kOuter), 2U);
  EXPECT_TRUE(stack.close(150, true).cut);
  EXPECT_FALSE(stack.close(150, false).cut);
  EXPECT_TRUE(stack.empty());
  EXPECT_EQ(stack.open_of(Category::kOptimizer), 0U);
}

TEST(SpanStack, TimesThatRunBackwardsStandStill) {
  SpanStack stack;
  stack.begin(kOuter, Category::kZone, 100);
  stack.begin(kInner, Category::kZone, 90);
  EXPECT_EQ(stack.close(80, false).duration_ns(), 0);
  EXPECT_EQ(stack.close(120, false).duration_ns(), 20);
}

TEST(SpanStack, WhatIsTooDeepIsCountedOnly) {
  SpanStack stack;
  const std::size_t depth = SpanStack::kMaxDepth + 100;
  for (std::size_t i = 0; i < depth; ++i) {
    EXPECT_EQ(stack.begin(kOuter, Category::kZone, 100), i < SpanStack::kMaxDepth);
  }
  EXPECT_EQ(stack.innermost(), nullptr);
  std::size_t closed = 0;
  for (std::size_t i = 0; i < depth; ++i) {
    if (stack.count_closing(kOuter) == 1) {
      stack.close(200, false);
      ++closed;
    }
  }
  EXPECT_EQ(closed, SpanStack::kMaxDepth);
  EXPECT_TRUE(stack.empty());
}

TEST(SpanStack, ArgumentsStayWithTheirSpan) {
  SpanStack stack;
  stack.begin(kOuter, Category::kDataWait, 100);
  stack.innermost()->args.set(ArgName::kLoader, 7);
  stack.innermost()->args.set(ArgName::kOther, 9);
  const ClosedSpan closed = stack.close(110, false);
  EXPECT_EQ(closed.span.args.get(ArgName::kLoader), 7U);
  EXPECT_FALSE(closed.span.args.get(ArgName::kStop).has_value());
}

TEST(SpanStack, TheSameSiteInsideItselfIsRecursive) {
  SpanStack stack;
  stack.begin(kOuter, Category::kZone, 100);
  stack.begin(kOuter, Category::kZone, 110);
  EXPECT_TRUE(stack.close(120, false).span.recursive);
  EXPECT_FALSE(stack.close(130, false).span.recursive);
}

TEST(SpanStack, ASpanWhoseEndWillNotComeIsTakenOut) {
  SpanStack stack;
  stack.begin(kOuter, Category::kZone, 100);
  stack.begin(kInner, Category::kOptimizer, 110);
  stack.begin(kOther, Category::kZone, 120);
  stack.begin(kInner, Category::kOptimizer, 130);
  stack.drop_between(1);
  ASSERT_EQ(stack.open().size(), 2U);
  EXPECT_EQ(stack.open_of(Category::kOptimizer), 1U);
  EXPECT_EQ(stack.bucket(), Bucket::kOptimizer);
}

TEST(Bucket, InnermostHookCountsAndZonesOnlyWhereThereIsNone) {
  struct Case {
    Bucket outer;
    Category category;
    Bucket want;
  };
  for (const Case& c : {
           Case{Bucket::kUnnamed, Category::kZone, Bucket::kZones},
           Case{Bucket::kForward, Category::kZone, Bucket::kForward},
           Case{Bucket::kZones, Category::kForward, Bucket::kForward},
           Case{Bucket::kBackward, Category::kForward, Bucket::kBackward},
           Case{Bucket::kBackward, Category::kOptimizer, Bucket::kOptimizer},
           Case{Bucket::kOptimizer, Category::kForward, Bucket::kForward},
           Case{Bucket::kOptimizer, Category::kBackward, Bucket::kBackward},
           Case{Bucket::kUnnamed, Category::kZeroGrad, Bucket::kOptimizer},
           Case{Bucket::kUnnamed, Category::kClipGrad, Bucket::kOptimizer},
           Case{Bucket::kUnnamed, Category::kScalerStep, Bucket::kOptimizer},
           Case{Bucket::kUnnamed, Category::kForwardNoGrad, Bucket::kEvaluation},
           Case{Bucket::kDataWait, Category::kForwardNoGrad, Bucket::kDataWait},
           Case{Bucket::kDataWait, Category::kLoaderStart, Bucket::kDataWait},
           Case{Bucket::kUnnamed, Category::kLoaderStart, Bucket::kLoaderStart},
           Case{Bucket::kUnnamed, Category::kCheckpoint, Bucket::kCheckpoint},
           Case{Bucket::kBackward, Category::kCommWait, Bucket::kCommWait},
       }) {
    EXPECT_EQ(bucket_inside(c.outer, c.category), c.want)
        << index_of(c.outer) << " " << model::to_text(c.category);
  }
}

TEST(PhaseClock, ReadingsAddUpToTheTimeBetweenThem) {
  PhaseClock clock;
  clock.advance(1000, Bucket::kUnnamed);
  const Mark start = clock.now();
  clock.advance(1300, Bucket::kForward);
  clock.advance(1350, Bucket::kCheckpoint);
  clock.advance(1400, Bucket::kZones);
  model::Step step;
  set_phases(step, start, clock.now());
  EXPECT_EQ(step.wall_ns, 400);
  EXPECT_EQ(std::accumulate(step.phase_ns.begin(), step.phase_ns.end(), std::int64_t{0}), 400);
  EXPECT_EQ(step.phase(model::Phase::kOther), 100);
  EXPECT_EQ(step.other_ns[0], 50);
}

}  // namespace
}  // namespace latido::analysis
