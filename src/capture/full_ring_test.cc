// When the ring is full, has been stopped, or has no ids left: nothing waits, everything is counted.
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>

#include <atomic>
#include <memory>
#include <thread>
#include <vector>

#include "capture/testing/agent_stub.h"
#include "capture/testing/ring_reader.h"
#include "latido/latido.h"

namespace latido::capture {
namespace {

using testing::AgentStub;
using testing::check;
using testing::expect_success;
using testing::Gate;
using testing::RingReader;
using testing::run_child;
using testing::start_child;
using testing::ZoneTally;

constinit latido_site g_zone{"zone", "zone", nullptr, 0, 0};
constinit latido_site g_outer{"outer", "zone", nullptr, 0, 0};

// `zones` zones in pairs, one inside the other; returns how many were recorded.
std::uint64_t record_zones(std::uint64_t zones) {
  std::uint64_t recorded = 0;
  for (std::uint64_t i = 0; i < zones / 2; ++i) {
    const int outer = latido_begin(&g_outer);
    const int inner = latido_begin(&g_zone);
    if (inner == 1) latido_end(&g_zone);
    if (outer == 1) latido_end(&g_outer);
    recorded += static_cast<std::uint64_t>(inner + outer);
  }
  return recorded;
}

std::uint64_t record_in_threads(unsigned threads, std::uint64_t zones_each) {
  std::atomic<std::uint64_t> recorded{0};
  std::vector<std::thread> running;
  for (unsigned i = 0; i < threads; ++i) {
    running.emplace_back([&] { recorded += record_zones(zones_each); });
  }
  for (std::thread& thread : running) thread.join();
  return recorded;
}

struct ThreadCase {
  const char* name;
  unsigned threads;
  std::uint64_t zones_each;
};

constexpr ThreadCase kUndrained[] = {
    {"one thread", 1, 1'200'000}, {"20 threads", 20, 60'000}, {"200 threads", 200, 6'000}};

TEST(FullRing, DropsWholeZonesAndCountsThemExactly) {
  for (const ThreadCase& c : kUndrained) {
    SCOPED_TRACE(c.name);
    AgentStub agent;
    run_child(agent, [&] {
      const std::uint64_t recorded = record_in_threads(c.threads, c.zones_each);
      check(recorded + latido_dropped() == c.threads * c.zones_each, "recorded + dropped = all");
      check(latido_dropped() > 0, "the ring was too small");
    });
    const auto ring = agent.receive();
    RingReader reader(ring);
    ZoneTally tally;
    reader.read([&](const testing::Record& record) { tally.take(record); });
    EXPECT_EQ(tally.begins() + ring.header().dropped.load(), c.threads * c.zones_each);
    EXPECT_EQ(tally.ends(), tally.begins());
    EXPECT_EQ(tally.misplaced_ends(), 0U);
  }
}

// All threads come at once to a process that has not decided yet.
TEST(FirstEvent, ZonesLostToTheDecisionAreCounted) {
  for (int round = 0; round < 20; ++round) {
    AgentStub agent;
    run_child(agent, [] {
      const std::uint64_t recorded = record_in_threads(16, 100);
      check(recorded + latido_dropped() == 1600, "recorded + dropped = all");
    });
    const auto ring = agent.receive();
    RingReader reader(ring);
    ZoneTally tally;
    reader.read([&](const testing::Record& record) { tally.take(record); });
    EXPECT_EQ(tally.begins() + ring.header().dropped.load(), 1600U);
  }
}

TEST(Allowance, IsKeptAndMayChange) {
  AgentStub agent;
  Gate begun;
  Gate lowered;
  const pid_t child = start_child(agent, [&] {
    latido_mark("begun");
    begun.open();
    lowered.wait();
    const std::uint64_t recorded = record_zones(100'000);
    check(recorded + latido_dropped() == 100'000 && latido_dropped() > 0, "three chunks are few");
  });
  const auto ring = agent.receive();
  begun.wait();
  ring.header().control.store(control_word({.chunks = 3}));
  lowered.open();
  expect_success(child);
  for (std::uint32_t i = 0; i < kChunkCount; ++i) {
    EXPECT_EQ(ring.chunk(i).state.load() != 0, i < 3) << "chunk " << i;
  }
}

TEST(FullRing, RecordsAgainWhenChunksComeBack) {
  AgentStub agent;
  Gate full;
  Gate drained;
  const pid_t child = start_child(agent, [&] {
    const std::uint64_t before = record_zones(1'100'000);
    const std::uint64_t dropped = latido_dropped();
    check(before + dropped == 1'100'000 && dropped > 0, "full");
    full.open();
    drained.wait();
    check(record_zones(100'000) == 100'000 && latido_dropped() == dropped, "room again");
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  ZoneTally tally;
  full.wait();
  reader.read([&](const testing::Record& record) { tally.take(record); });
  EXPECT_GT(reader.chunks_given_back(), 200U);
  drained.open();
  expect_success(child);
  reader.read([&](const testing::Record& record) { tally.take(record); });
  EXPECT_EQ(tally.begins() + ring.header().dropped.load(), 1'200'000U);
  EXPECT_EQ(tally.ends(), tally.begins());
  EXPECT_EQ(tally.misplaced_ends(), 0U);
}

TEST(DrainedRing, LosesNothingThatIsNotCountedWhileReadConcurrently) {
  constexpr ThreadCase kCase{"20 threads", 20, 100'000};
  AgentStub agent;
  const pid_t child = start_child(agent, [&] {
    latido_define_site(&g_zone);
    const std::uint64_t recorded = record_in_threads(kCase.threads, kCase.zones_each);
    check(recorded + latido_dropped() == kCase.threads * kCase.zones_each, "all accounted for");
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  ZoneTally tally;
  const auto take = [&](const testing::Record& record) { tally.take(record); };
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) reader.read(take);
  reader.read(take);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(tally.begins() + ring.header().dropped.load(), kCase.threads * kCase.zones_each);
  EXPECT_EQ(tally.ends(), tally.begins());
  EXPECT_EQ(tally.misplaced_ends(), 0U);
}

TEST(Control, StopLetsOpenZonesEndAndRecordsNothingMore) {
  AgentStub agent;
  Gate begun;
  Gate stopped;
  const pid_t child = start_child(agent, [&] {
    check(latido_begin(&g_outer) == 1, "begin");
    begun.open();
    stopped.wait();
    latido_mark("after");
    latido_end(&g_outer);
    check(LATIDO_IS_OFF(), "off");
    check(latido_dropped() == 0, "stopping is not dropping");
  });
  const auto ring = agent.receive();
  begun.wait();
  ring.header().control.store(kControlStop);
  stopped.open();
  expect_success(child);
  EXPECT_EQ(testing::read_lines(ring), (std::vector<std::string>{"begin outer", "end outer"}));
}

TEST(Sites, BeyondTheLastIdAreOneCountedSite) {
  constexpr std::uint64_t kSites = kMaxSites + 10;
  AgentStub agent;
  const pid_t child = start_child(agent, [&] {
    const auto sites = std::make_unique<latido_site[]>(kSites);
    std::uint64_t defined = 0;
    for (std::uint64_t i = 0; i < kSites; ++i) {
      sites[i] = {"s", nullptr, nullptr, 0, 0};
      // Tries again until the agent has made room.
      do {
        defined += latido_define_site(&sites[i]) != 0 ? 1 : 0;
      } while (defined <= i && defined < kMaxSites - 1);
    }
    check(defined == kMaxSites - 1, "all ids are used");
    latido_site& last = sites[kSites - 1];
    while (latido_begin(&last) == 0) continue;
    latido_end(&last);
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  std::vector<testing::Record> records;
  const auto take = [&](const testing::Record& record) { records.push_back(record); };
  int status = 0;
  while (waitpid(child, &status, WNOHANG) == 0) reader.read(take);
  reader.read(take);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(reader.sites().size(), std::size_t{kMaxSites - 1});
  EXPECT_EQ(ring.header().sites.load(), kMaxSites - 1);
  EXPECT_EQ(ring.header().other_sites.load(), 1U);
  ASSERT_EQ(records.size(), 2U);
  EXPECT_EQ(records[0].kind, RecordKind::kBegin);
  EXPECT_EQ(records[0].id, kOtherSites);
  EXPECT_EQ(records[1].kind, RecordKind::kEnd);
  EXPECT_EQ(records[1].id, kOtherSites);
}

TEST(Sites, ThatManyThreadsMeetAtOnceHaveOneIdInUse) {
  AgentStub agent;
  run_child(agent, [] {
    static latido_site sites[200];
    for (latido_site& site : sites) site = {"met", "zone", nullptr, 0, 0};
    std::atomic<bool> go{false};
    std::vector<std::thread> threads;
    for (int t = 0; t < 4; ++t) {
      threads.emplace_back([&] {
        while (!go) std::this_thread::yield();
        for (latido_site& site : sites) {
          const int open = latido_begin(&site);
          if (open == 1) latido_end(&site);
        }
      });
    }
    latido_mark("decided");
    go = true;
    for (std::thread& thread : threads) thread.join();
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  ZoneTally tally;
  std::map<std::uint32_t, int> uses;
  reader.read([&](const testing::Record& record) {
    tally.take(record);
    if (record.kind == RecordKind::kBegin) ++uses[record.id];
  });
  EXPECT_EQ(tally.begins(), 800U);
  EXPECT_EQ(tally.misplaced_ends(), 0U);
  for (const auto& [id, count] : uses) EXPECT_EQ(reader.sites().count(id), 1U) << id;
}

constinit latido_site g_from_handler{"handler", "series", nullptr, 0, 0};
constinit std::atomic<std::uint64_t> g_handled{0};

TEST(SignalHandler, ThatInterruptsARecordIsDroppedAndCounted) {
  constexpr std::uint64_t kTexts = 100'000;
  AgentStub agent;
  run_child(agent, [] {
    latido_site site{"text", "text", nullptr, 0, 0};
    latido_define_site(&site);
    signal(SIGUSR1, [](int) {
      latido_value(&g_from_handler, 1, 2);
      ++g_handled;
    });
    const pthread_t recording = pthread_self();
    std::atomic<bool> done{false};
    std::thread signals([&] {
      while (!done) {
        pthread_kill(recording, SIGUSR1);
        std::this_thread::yield();
      }
    });
    for (std::uint64_t i = 0; i < kTexts; ++i) latido_text(&site, "0123456789abcdef", 16);
    done = true;
    signals.join();
    signal(SIGUSR1, SIG_IGN);
    latido_value(&g_from_handler, static_cast<std::uint32_t>(g_handled.load()), 0);
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  std::uint64_t texts = 0;
  std::uint64_t values = 0;
  std::uint64_t handled = 0;
  reader.read([&](const testing::Record& record) {
    texts += record.text == "0123456789abcdef" ? 1 : 0;
    values += record.extended == ExtendedKind::kValue ? 1 : 0;
    if (record.extended == ExtendedKind::kValue && record.payload == 0) handled = record.detail;
  });
  EXPECT_EQ(texts, kTexts);
  EXPECT_EQ(values + ring.header().dropped.load(), handled + 1);
}

}  // namespace
}  // namespace latido::capture
