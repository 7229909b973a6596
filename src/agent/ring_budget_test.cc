#include "agent/ring_budget.h"

#include <gtest/gtest.h>

namespace latido::agent {
namespace {

constexpr auto kHeaderBytes = static_cast<std::int64_t>(capture::kFirstChunkOffset);
constexpr auto kChunkBytes = static_cast<std::int64_t>(capture::kChunkBytes);

std::int64_t worst_bytes(std::int64_t taken) {
  const std::int64_t waiting = kListenBacklog + 1;
  const auto share = static_cast<std::int64_t>(fair_chunks(static_cast<std::size_t>(taken)));
  return taken * (kHeaderBytes + share * kChunkBytes) +
         waiting * (kHeaderBytes + capture::kStartChunks * kChunkBytes);
}

TEST(RingBudget, FewProcessesHaveWholeRings) {
  for (const std::size_t rings : {0U, 1U, 2U, 7U}) {
    EXPECT_EQ(fair_chunks(rings), capture::kChunkCount) << rings;
  }
}

TEST(RingBudget, AllRingsFullAndAllSeatsOfTheBacklogTakenStayWithinTheRunsBytes) {
  for (const std::int64_t rings : {1, 7, 8, 40, 64, 200, 1000, 1400}) {
    EXPECT_LE(worst_bytes(rings), kRunRingBytes) << rings;
  }
}

TEST(RingBudget, OneMoreThanFitIsSeen) {
  EXPECT_GE(chunks_of_run(1400), 1400);
  EXPECT_LT(chunks_of_run(1500), 1500);
  EXPECT_EQ(fair_chunks(1500), 1U);
  EXPECT_LT(chunks_of_run(100'000), 0);
}

TEST(RingBudget, AWholeRingIsBelow16MegabytesAProcess) {
  EXPECT_LE(capture::kRingBytes, 16'000'000U);
}

}  // namespace
}  // namespace latido::agent
