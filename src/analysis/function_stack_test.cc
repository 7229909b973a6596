#include "analysis/function_stack.h"

#include <gtest/gtest.h>

#include <vector>

namespace latido::analysis {
namespace {

constexpr model::SiteId kMain{1};
constexpr model::SiteId kLoad{2};
constexpr model::SiteId kFib{3};

struct Recorder {
  FunctionStack stack;
  std::vector<FunctionCall> calls;

  void begin(model::SiteId site, std::int64_t ts_ns) { stack.begin(site, ts_ns); }
  void end(model::SiteId site, std::int64_t ts_ns) {
    stack.end(site, ts_ns, [this](const FunctionCall& call) { calls.push_back(call); });
  }
};

TEST(FunctionStack, SelfTimeIsWithoutTheFunctionsCalled) {
  Recorder recorder;
  recorder.begin(kMain, 0);
  recorder.begin(kLoad, 10);
  recorder.end(kLoad, 40);
  recorder.begin(kLoad, 50);
  recorder.end(kLoad, 60);
  recorder.end(kMain, 100);
  ASSERT_EQ(recorder.calls.size(), 3U);
  EXPECT_EQ(recorder.calls[0].duration_ns, 30);
  EXPECT_EQ(recorder.calls[0].self_ns, 30);
  EXPECT_EQ(recorder.calls[2].site, kMain);
  EXPECT_EQ(recorder.calls[2].duration_ns, 100);
  EXPECT_EQ(recorder.calls[2].self_ns, 60);
}

TEST(FunctionStack, ARecursiveCallIsMarked) {
  Recorder recorder;
  recorder.begin(kFib, 0);
  recorder.begin(kFib, 1);
  recorder.begin(kLoad, 2);
  recorder.begin(kFib, 3);
  recorder.end(kFib, 4);
  recorder.end(kLoad, 5);
  recorder.end(kFib, 6);
  recorder.end(kFib, 7);
  ASSERT_EQ(recorder.calls.size(), 4U);
  EXPECT_TRUE(recorder.calls[0].recursive) << "through another function";
  EXPECT_FALSE(recorder.calls[1].recursive);
  EXPECT_TRUE(recorder.calls[2].recursive);
  EXPECT_FALSE(recorder.calls[3].recursive) << "the outermost";
}

TEST(FunctionStack, AnEndClosesWhatIsAboveItAsCut) {
  Recorder recorder;
  recorder.begin(kMain, 0);
  recorder.begin(kLoad, 10);
  recorder.end(kMain, 100);
  ASSERT_EQ(recorder.calls.size(), 2U);
  EXPECT_TRUE(recorder.calls[0].cut);
  EXPECT_EQ(recorder.calls[0].site, kLoad);
  EXPECT_FALSE(recorder.calls[1].cut);
  EXPECT_EQ(recorder.calls[1].self_ns, 10);
}

TEST(FunctionStack, AnEndWithoutBeginIsIgnored) {
  Recorder recorder;
  recorder.end(kMain, 5);
  recorder.begin(kMain, 10);
  recorder.end(kLoad, 20);
  EXPECT_TRUE(recorder.calls.empty());
  EXPECT_TRUE(recorder.stack.is_open(kMain));
}

TEST(FunctionStack, TimeThatRunsBackwardsCountsAsNone) {
  Recorder recorder;
  recorder.begin(kMain, 100);
  recorder.begin(kLoad, 90);
  recorder.end(kLoad, 80);
  recorder.end(kMain, 110);
  ASSERT_EQ(recorder.calls.size(), 2U);
  EXPECT_EQ(recorder.calls[0].duration_ns, 0);
  EXPECT_EQ(recorder.calls[1].self_ns, 10);
}

TEST(FunctionStack, DeeperThanTheLimitIsTheTimeOfTheDeepest) {
  Recorder recorder;
  constexpr std::size_t kDepth = FunctionStack::kMaxDepth + 1'000;
  for (std::size_t i = 0; i < kDepth; ++i) recorder.begin(kFib, static_cast<std::int64_t>(i));
  for (std::size_t i = 0; i < kDepth; ++i) {
    recorder.end(kFib, static_cast<std::int64_t>(kDepth + i));
  }
  EXPECT_EQ(recorder.calls.size(), FunctionStack::kMaxDepth);
  EXPECT_FALSE(recorder.stack.is_open(kFib));
  EXPECT_EQ(recorder.calls.back().duration_ns, 2 * static_cast<std::int64_t>(kDepth) - 1);
}

TEST(FunctionStack, WhatIsOpenAtTheEndIsToldAsCut) {
  Recorder recorder;
  recorder.begin(kMain, 0);
  recorder.begin(kLoad, 60);
  const std::vector<FunctionCall> open = recorder.stack.still_open(100);
  ASSERT_EQ(open.size(), 2U);
  EXPECT_EQ(open[0].site, kLoad);
  EXPECT_EQ(open[0].self_ns, 40);
  EXPECT_EQ(open[1].self_ns, 60);
  EXPECT_TRUE(open[1].cut);
  EXPECT_TRUE(recorder.stack.is_open(kLoad)) << "asking changes nothing";
}

}  // namespace
}  // namespace latido::analysis
