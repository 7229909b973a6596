// Children of every kind have a ring of their own, and never touch their parent's.
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <set>
#include <thread>

#include "capture/process_page.h"
#include "capture/testing/agent_stub.h"
#include "capture/testing/ring_reader.h"
#include "latido/latido.h"

extern char** environ;

namespace latido::capture {
namespace {

using testing::AgentStub;
using testing::check;
using testing::expect_success;
using testing::fail;
using testing::Gate;
using testing::read_lines;
using testing::ReceivedRing;
using testing::RingReader;
using testing::run_child;
using testing::start_child;
using testing::ZoneTally;
using Lines = std::vector<std::string>;

constinit latido_site g_outer{"outer", "zone", nullptr, 0, 0};
constinit latido_site g_inner{"inner", "zone", nullptr, 0, 0};

void one_zone(latido_site& site) {
  if (latido_begin(&site) == 1) latido_end(&site);
}

void must_succeed(pid_t pid) {
  int status = -1;
  check(waitpid(pid, &status, 0) == pid && status == 0, "child failed");
}

pid_t plain_fork() { return fork(); }

// No handler of pthread_atfork runs. ThreadSanitizer cannot do without its own.
pid_t bare_clone() {
  return testing::kThreadSanitizer ? fork()
                                   : static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0));
}

struct ForkCase {
  const char* name;
  pid_t (*fork)();
};

constexpr ForkCase kForks[] = {{"fork", plain_fork}, {"bare clone", bare_clone}};

TEST(Fork, ChildOpensItsOwnRingAndDefinesItsSitesAgain) {
  for (const ForkCase& c : kForks) {
    SCOPED_TRACE(c.name);
    AgentStub agent;
    run_child(agent, [&] {
      one_zone(g_inner);
      latido_log("series", 1);
      check(latido_begin(&g_outer) == 1, "begin");
      const pid_t child = c.fork();
      if (child == 0) {
        one_zone(g_inner);
        latido_end(&g_outer);  // begun by the parent: nothing here
        one_zone(g_outer);
        latido_log("series", 2);
        _exit(0);
      }
      must_succeed(child);
      latido_end(&g_outer);
    });
    const ReceivedRing parent = agent.receive();
    const ReceivedRing child = agent.receive();
    EXPECT_NE(parent.hello.pid, child.hello.pid);
    EXPECT_NE(parent.hello.exec_id, child.hello.exec_id);
    EXPECT_EQ(read_lines(parent), (Lines{"begin inner", "end inner", "value series[0] 1.",
                                         "begin outer", "end outer"}));
    EXPECT_EQ(read_lines(child), (Lines{"begin inner", "end inner", "begin outer", "end outer",
                                        "value series[0] 2."}));
  }
}

TEST(Fork, ChildThatOnlyEndsItsParentsZoneStaysSilent) {
  AgentStub agent;
  run_child(agent, [] {
    check(latido_begin(&g_outer) == 1, "begin");
    const pid_t child = fork();
    latido_end(&g_outer);
    if (child == 0) _exit(0);
    must_succeed(child);
  });
  EXPECT_EQ(read_lines(agent.receive()), (Lines{"begin outer", "end outer"}));
  EXPECT_TRUE(agent.nobody_came());
}

TEST(Fork, ChildThreadThatRecordsFirstDoesNotShareTheForkersPlace) {
  for (const ForkCase& c : kForks) {
    SCOPED_TRACE(c.name);
    AgentStub agent;
    run_child(agent, [&] {
      one_zone(g_inner);
      const pid_t child = c.fork();
      if (child == 0) {
        std::thread([] {
          for (int i = 0; i < 100; ++i) one_zone(g_inner);
        }).join();
        for (int i = 0; i < 100; ++i) one_zone(g_outer);
        _exit(0);
      }
      must_succeed(child);
    });
    agent.receive();
    const ReceivedRing child = agent.receive();
    RingReader reader(child);
    ZoneTally tally;
    reader.read([&](const testing::Record& record) { tally.take(record); });
    EXPECT_EQ(tally.begins(), 200U);
    EXPECT_EQ(tally.misplaced_ends(), 0U);
    EXPECT_EQ(tally.threads(), 2U);
  }
}

TEST(Fork, EachGenerationHasItsOwnRing) {
  AgentStub agent;
  run_child(agent, [] {
    for (int generation = 0; generation < 5; ++generation) {
      one_zone(g_inner);
      one_zone(g_outer);
      const pid_t child = fork();
      if (child != 0) {
        must_succeed(child);
        one_zone(g_outer);
        _exit(0);
      }
    }
  });
  std::set<std::uint32_t> pids;
  for (int generation = 0; generation < 5; ++generation) {
    const ReceivedRing ring = agent.receive();
    pids.insert(ring.hello.pid);
    EXPECT_EQ(read_lines(ring), (Lines{"begin inner", "end inner", "begin outer", "end outer",
                                       "begin outer", "end outer"}));
  }
  EXPECT_EQ(pids.size(), 5U);
}

TEST(Fork, TwoHundredChildrenAllComeThrough) {
  AgentStub agent;
  run_child(agent, [] {
    one_zone(g_outer);
    std::vector<pid_t> children;
    for (int i = 0; i < 200; ++i) {
      const pid_t child = fork();
      if (child == 0) {
        one_zone(g_inner);
        _exit(LATIDO_IS_OFF() ? 1 : 0);
      }
      children.push_back(child);
    }
    for (const pid_t child : children) must_succeed(child);
  });
  EXPECT_EQ(read_lines(agent.receive()).front(), "begin outer");
  for (int i = 0; i < 200; ++i) {
    EXPECT_EQ(read_lines(agent.receive()), (Lines{"begin inner", "end inner"}));
  }
  EXPECT_TRUE(agent.nobody_came());
}

TEST(Fork, WhileOtherThreadsRecordHurtsNeitherSide) {
  // Its own locks do not survive such a fork: the child hangs in it.
  if (testing::kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer forks only alone";
  AgentStub agent;
  constexpr int kChildren = 20;
  run_child(agent, [] {
    latido_define_site(&g_outer);
    std::atomic<bool> done{false};
    std::atomic<std::uint64_t> recorded{0};
    std::vector<std::thread> threads;
    for (int t = 0; t < 3; ++t) {
      threads.emplace_back([&] {
        latido_site text{"text", "text", nullptr, 0, 0};
        // Bounded, so that the ring has room for all: nobody drains it.
        for (int k = 0; k < 90'000 && !done; ++k) {
          check(latido_begin(&g_outer) == 1, "begin");
          ++recorded;
          latido_text(&text, "between", 7);
          latido_end(&g_outer);
        }
      });
    }
    for (int i = 0; i < kChildren; ++i) {
      const pid_t child = i % 2 == 0 ? plain_fork() : bare_clone();
      if (child == 0) {
        for (int k = 0; k < 1000; ++k) one_zone(g_inner);
        _exit(0);
      }
      must_succeed(child);
    }
    done = true;
    for (std::thread& thread : threads) thread.join();
    latido_site total{"total", "series", nullptr, 0, 0};
    latido_instant(&total, recorded);
  });
  const ReceivedRing parent = agent.receive();
  RingReader reader(parent);
  ZoneTally tally;
  std::uint64_t total = 0;
  reader.read([&](const testing::Record& record) {
    tally.take(record);
    if (record.extended == ExtendedKind::kInstant) total = record.payload;
  });
  EXPECT_EQ(tally.misplaced_ends(), 0U);
  EXPECT_EQ(tally.ends(), tally.begins());
  EXPECT_EQ(tally.begins(), total);
  for (int i = 0; i < kChildren; ++i) {
    const ReceivedRing child = agent.receive();
    const Lines lines = read_lines(child);
    EXPECT_EQ(std::ranges::count(lines, "begin inner"), 1000);
    EXPECT_EQ(lines.size(), 2000U);
  }
}

TEST(Fork, WhileTheFirstEventIsUnderwayLeavesTheChildUndecided) {
  // Its own locks do not survive such a fork: the child hangs in it.
  if (testing::kThreadSanitizer) GTEST_SKIP() << "ThreadSanitizer forks only alone";
  AgentStub agent;
  std::uint64_t children = 0;
  for (int round = 0; round < 20; ++round) {
    run_child(agent, [&] {
      std::atomic<bool> go{false};
      std::thread first([&] {
        while (!go) continue;
        one_zone(g_outer);
      });
      go = true;
      const pid_t child = bare_clone();
      if (child == 0) {
        one_zone(g_inner);
        _exit(LATIDO_IS_OFF() ? 1 : 0);
      }
      must_succeed(child);
      first.join();
    });
    for (int k = 0; k < 2; ++k) {
      const Lines lines = read_lines(agent.receive());
      children += lines == Lines{"begin inner", "end inner"} ? 1 : 0;
    }
  }
  EXPECT_EQ(children, 20U);
}

TEST(Fork, WithoutTheKernelsWipingTheHandlerDoesTheSame) {
  AgentStub agent;
  run_child(agent, [] {
    one_zone(g_outer);
    check(madvise(&process(), kPageBytes, MADV_KEEPONFORK) == 0, "as on an old kernel");
    check(pthread_atfork(nullptr, nullptr, wipe_in_child) == 0, "handler");
    const pid_t child = fork();
    if (child == 0) {
      one_zone(g_inner);
      _exit(0);
    }
    must_succeed(child);
  });
  EXPECT_EQ(read_lines(agent.receive()), (Lines{"begin outer", "end outer"}));
  EXPECT_EQ(read_lines(agent.receive()), (Lines{"begin inner", "end inner"}));
}

TEST(Fork, ChildOfAProcessThatIsOffDecidesForItself) {
  AgentStub agent;
  run_child(agent, [&] {
    setenv("LATIDO_DISABLE", "1", 1);
    one_zone(g_outer);
    check(LATIDO_IS_OFF(), "parent off");
    const pid_t child = fork();
    if (child == 0) {
      unsetenv("LATIDO_DISABLE");
      one_zone(g_inner);
      _exit(0);
    }
    must_succeed(child);
  });
  EXPECT_EQ(read_lines(agent.receive()), (Lines{"begin inner", "end inner"}));
  EXPECT_TRUE(agent.nobody_came());
}

TEST(Vfork, AndExecLeaveTheParentRecording) {
  AgentStub agent;
  run_child(agent, [] {
    check(latido_begin(&g_outer) == 1, "begin");
    std::string program = "/bin/true";
    char* const arguments[] = {program.data(), nullptr};
    pid_t spawned = -1;
    check(posix_spawn(&spawned, "/bin/true", nullptr, nullptr, arguments, environ) == 0, "spawn");
    must_succeed(spawned);
    one_zone(g_inner);
    latido_end(&g_outer);
  });
  EXPECT_EQ(read_lines(agent.receive()),
            (Lines{"begin outer", "begin inner", "end inner", "end outer"}));
}

// capture_probe is linked with the shared library, as a user's program is.
TEST(Exec, TheNewImageHasItsOwnRingUnderTheSamePid) {
  AgentStub agent;
  const pid_t child = start_child(agent, [] {
    one_zone(g_outer);
    execl(LATIDO_CAPTURE_PROBE, "capture_probe", nullptr);
    fail("exec");
  });
  expect_success(child);
  const ReceivedRing first = agent.receive();
  const ReceivedRing second = agent.receive();
  EXPECT_EQ(first.hello.pid, second.hello.pid);
  EXPECT_NE(first.hello.exec_id, second.hello.exec_id);
  EXPECT_EQ(read_lines(first), (Lines{"begin outer", "end outer"}));
  EXPECT_EQ(read_lines(second), (Lines{"begin probe", "value probe.log[0] 1.", "end probe"}));
}

TEST(Kill, LeavesTheOpenZoneInTheMemory) {
  AgentStub agent;
  Gate begun;
  const pid_t child = start_child(agent, [&] {
    check(latido_begin(&g_outer) == 1, "begin");
    one_zone(g_inner);
    check(latido_begin(&g_inner) == 1, "begin");
    begun.open();
    for (;;) pause();
  });
  begun.wait();
  kill(child, SIGKILL);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status));
  EXPECT_EQ(read_lines(agent.receive()),
            (Lines{"begin outer", "begin inner", "end inner", "begin inner"}));
}

}  // namespace
}  // namespace latido::capture
