// A thread's chunk comes back when the thread ends, whatever its last words are.
#include <gtest/gtest.h>
#include <pthread.h>

#include <thread>

#include "capture/testing/agent_stub.h"
#include "capture/testing/ring_reader.h"
#include "latido/latido.h"

namespace latido::capture {
namespace {

using testing::AgentStub;
using testing::check;
using testing::RingReader;
using testing::run_child;
using testing::ZoneTally;

constinit latido_site g_zone{"zone", "zone", nullptr, 0, 0};

void one_zone() {
  if (latido_begin(&g_zone) == 1) latido_end(&g_zone);
}

TEST(ThreadExit, SealsTheChunkAndSaysThatTheThreadIsGone) {
  AgentStub agent;
  run_child(agent, [] {
    one_zone();
    std::thread([] {
      one_zone();
      latido_begin(&g_zone);
    }).join();
    one_zone();
  });
  const auto ring = agent.receive();
  EXPECT_EQ(ring.chunk(0).state.load(), static_cast<std::uint32_t>(ChunkState::kLeased));
  EXPECT_EQ(ring.chunk(1).state.load(), static_cast<std::uint32_t>(ChunkState::kSealed));
  EXPECT_EQ(ring.chunk(1).ended.load(), 1U);
  EXPECT_EQ(ring.chunk(0).thread, 1U);
  EXPECT_EQ(ring.chunk(1).thread, 2U);
  EXPECT_NE(ring.chunk(0).tid, ring.chunk(1).tid);
}

TEST(ThreadExit, ManyThreadsInTurnEachHaveTheirOwnNumber) {
  AgentStub agent;
  constexpr int kThreads = kChunkCount - 10;
  run_child(agent, [] {
    one_zone();
    for (int i = 0; i < kThreads; ++i) std::thread(one_zone).join();
    check(latido_dropped() == 0, "each had a chunk");
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  ZoneTally tally;
  reader.read([&](const testing::Record& record) { tally.take(record); });
  EXPECT_EQ(reader.threads_ended(), std::uint64_t{kThreads});
  EXPECT_EQ(tally.begins(), std::uint64_t{kThreads + 1});
  EXPECT_EQ(tally.threads(), std::size_t{kThreads + 1});
}

pthread_key_t g_late_key;

// Records in every round of destructors that libc allows.
void late(void*) {
  one_zone();
  pthread_setspecific(g_late_key, &g_late_key);
}

TEST(ThreadExit, RecordsOfLateDestructorsAreKeptOrCountedAndNoChunkStaysBehind) {
  // It ends the thread's own state in the last round, before our destructor runs.
  if (testing::kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer leaves the thread first";
  AgentStub agent;
  run_child(agent, [] {
    check(pthread_key_create(&g_late_key, late) == 0, "key");
    one_zone();
    for (int i = 0; i < 20; ++i) {
      std::thread([] {
        one_zone();
        pthread_setspecific(g_late_key, &g_late_key);
      }).join();
    }
  });
  const auto ring = agent.receive();
  std::uint32_t leased = 0;
  for (std::uint32_t i = 0; i < kChunkCount; ++i) {
    leased += ring.chunk(i).state.load() == static_cast<std::uint32_t>(ChunkState::kLeased) ? 1 : 0;
  }
  EXPECT_EQ(leased, 1U) << "only the main thread's";
  RingReader reader(ring);
  ZoneTally tally;
  reader.read([&](const testing::Record& record) { tally.take(record); });
  EXPECT_EQ(tally.begins(), tally.ends());
  EXPECT_EQ(tally.begins() + ring.header().dropped.load(), 1U + 20U * (1U + 4U));
}

}  // namespace
}  // namespace latido::capture
