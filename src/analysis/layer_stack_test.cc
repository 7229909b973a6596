#include "analysis/layer_stack.h"

#include <gtest/gtest.h>

#include <vector>

namespace latido::analysis {
namespace {

constexpr model::SiteId kNet{1};
constexpr model::SiteId kLinear{2};

class Calls {
 public:
  Calls& begin(model::SiteId site, std::int64_t ts_ns) {
    stack.begin(site, ts_ns);
    return *this;
  }
  Calls& end(model::SiteId site, std::int64_t ts_ns) {
    stack.end(site, ts_ns, [this](const LayerCall& call) { seen.push_back(call); });
    return *this;
  }

  LayerStack stack;
  std::vector<LayerCall> seen;
};

TEST(LayerStack, ALayersOwnTimeIsWithoutThoseItCalls) {
  Calls calls;
  calls.begin(kNet, 0).begin(kLinear, 10).end(kLinear, 40).end(kNet, 100);
  ASSERT_EQ(calls.seen.size(), 2U);
  EXPECT_EQ(calls.seen[0].duration_ns, 30);
  EXPECT_EQ(calls.seen[1].duration_ns, 100);
  EXPECT_EQ(calls.seen[1].self_ns, 70);
}

TEST(LayerStack, WhatTheRecorderTakesIsNobodysTime) {
  Calls calls;
  calls.begin(kNet, 0);
  calls.stack.begin_cost(10);
  calls.stack.end_cost(25);
  calls.begin(kLinear, 30);
  calls.end(kLinear, 50);
  calls.stack.begin_cost(50);
  calls.stack.end_cost(55);
  calls.end(kNet, 100);
  ASSERT_EQ(calls.seen.size(), 2U);
  EXPECT_EQ(calls.seen[0].duration_ns, 20);
  EXPECT_EQ(calls.seen[1].duration_ns, 80);
  EXPECT_EQ(calls.seen[1].self_ns, 60);
}

TEST(LayerStack, ALayerInsideItselfIsRecursive) {
  Calls calls;
  calls.begin(kNet, 0).begin(kNet, 10).end(kNet, 20).end(kNet, 30);
  ASSERT_EQ(calls.seen.size(), 2U);
  EXPECT_TRUE(calls.seen[0].recursive);
  EXPECT_FALSE(calls.seen[1].recursive);
}

TEST(LayerStack, EndsThatAreMissingOrTooManyDoNoHarm) {
  Calls calls;
  calls.end(kNet, 5).begin(kNet, 10).begin(kLinear, 20).end(kNet, 30).end(kLinear, 40);
  ASSERT_EQ(calls.seen.size(), 2U);
  EXPECT_TRUE(calls.seen[0].cut);
  EXPECT_FALSE(calls.seen[1].cut);
}

TEST(LayerStack, DeeperThanItsLimitIsBalanced) {
  Calls calls;
  constexpr auto kDeep = static_cast<std::int64_t>(LayerStack::kMaxDepth) + 10;
  for (std::int64_t i = 0; i < kDeep; ++i) calls.begin(kNet, i);
  for (std::int64_t i = 0; i < kDeep; ++i) calls.end(kNet, kDeep + i);
  EXPECT_EQ(calls.seen.size(), LayerStack::kMaxDepth);
}

}  // namespace
}  // namespace latido::analysis
