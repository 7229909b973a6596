// Deciding at the first event: what turns recording off, and what the agent is given.
#include "capture/open_ring.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <vector>

#include "capture/clock_source.h"
#include "capture/testing/agent_stub.h"
#include "capture/testing/ring_reader.h"
#include "latido/latido.h"

namespace latido::capture {
namespace {

using testing::AgentStub;
using testing::check;
using testing::expect_success;
using testing::fail;
using testing::read_lines;
using testing::ReceivedRing;
using testing::run_child;
using Lines = std::vector<std::string>;

constinit latido_site g_zone{"zone", "zone", nullptr, 0, 0};

void expect_off() {
  check(latido_begin(&g_zone) == 0, "nothing is recorded");
  check(LATIDO_IS_OFF(), "and the state says so");
  latido_end(&g_zone);
  latido_log("log", 1);
  latido_step();
  latido_text(&g_zone, "text", 4);
  check(latido_define_site(&g_zone) == 0, "no id");
  check(latido_dropped() == 0, "off is not dropping");
}

std::size_t open_descriptors() {
  const std::filesystem::directory_iterator begin("/proc/self/fd");
  return static_cast<std::size_t>(std::distance(begin, std::filesystem::directory_iterator{}));
}

struct OffCase {
  const char* name;
  void (*arrange)();
};

void limit(int resource, rlim_t value) {
  const rlimit limits{value, value};
  check(setrlimit(static_cast<__rlimit_resource>(resource), &limits) == 0, "setrlimit");
}

const OffCase kOff[] = {
    {"no LATIDO_SOCKET", [] { unsetenv("LATIDO_SOCKET"); }},
    {"empty LATIDO_SOCKET", [] { setenv("LATIDO_SOCKET", "", 1); }},
    {"LATIDO_DISABLE", [] { setenv("LATIDO_DISABLE", "1", 1); }},
    {"nothing at the path", [] { setenv("LATIDO_SOCKET", "/nonexistent/agent", 1); }},
    {"a path that is no socket", [] { setenv("LATIDO_SOCKET", "/dev/null", 1); }},
    {"a path too long for a socket",
     [] { setenv("LATIDO_SOCKET", std::string(500, 'x').c_str(), 1); }},
    {"files limited in size", [] { limit(RLIMIT_FSIZE, 1 << 20); }},
    {"no descriptor left", [] { limit(RLIMIT_NOFILE, 3); }},
    {"no address space left", [] { limit(RLIMIT_AS, 1 << 20); }},
};

TEST(FirstEvent, TurnsRecordingOffQuietlyWhere) {
  for (const OffCase& c : kOff) {
    SCOPED_TRACE(c.name);
    // A sanitizer needs terabytes of it.
    if (testing::kSanitizer && std::string(c.name) == "no address space left") continue;
    AgentStub agent;
    run_child(agent, [&] {
      c.arrange();
      expect_off();
    });
  }
}

TEST(FirstEvent, TellsTheAgentThatItCouldNotMakeARing) {
  AgentStub agent;
  run_child(agent, [] {
    limit(RLIMIT_FSIZE, 1 << 20);
    expect_off();
  });
  const ReceivedRing ring = agent.receive_hello();
  EXPECT_EQ(ring.hello.magic, kRingMagic);
  EXPECT_FALSE(ring.fd);
}

TEST(FirstEvent, LatidoDisableOfZeroIsNotSet) {
  AgentStub agent;
  run_child(agent, [] {
    setenv("LATIDO_DISABLE", "0", 1);
    check(latido_begin(&g_zone) == 1, "records");
  });
  EXPECT_EQ(read_lines(agent.receive()), Lines{"begin zone"});
}

TEST(FirstEvent, DoesNotWaitForAnAgentThatHangs) {
  AgentStub other;
  const std::string path = other.socket_path() + "-hangs";
  const UniqueFd listener(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  const auto* const generic = reinterpret_cast<const sockaddr*>(&address);
  ASSERT_EQ(bind(listener.get(), generic, sizeof address), 0);
  ASSERT_EQ(listen(listener.get(), 0), 0);
  const UniqueFd fills_backlog(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
  ASSERT_EQ(connect(fills_backlog.get(), generic, sizeof address), 0);
  run_child(other, [&] {
    setenv("LATIDO_SOCKET", path.c_str(), 1);
    alarm(20);  // far more than the 20 ms that it may take: only a hang is caught
    expect_off();
  });
  unlink(path.c_str());
}

TEST(FirstEvent, NothingHappensBeforeIt) {
  AgentStub agent;
  run_child(agent, [] {
    check(__atomic_load_n(latido_state, __ATOMIC_RELAXED) == LATIDO_UNDECIDED, "undecided");
    check(!LATIDO_IS_OFF(), "not off either");
    check(latido_dropped() == 0, "none dropped");
  });
  EXPECT_TRUE(agent.nobody_came());
}

TEST(Ring, IsSealedPrivateAndDescribed) {
  AgentStub agent;
  const pid_t child = testing::start_child(agent, [] { latido_mark("mark"); });
  const ReceivedRing ring = agent.receive();
  expect_success(child);
  EXPECT_EQ(ring.hello.magic, kRingMagic);
  EXPECT_EQ(ring.hello.version, kRingVersion);
  EXPECT_EQ(ring.hello.pid, static_cast<std::uint32_t>(child));
  EXPECT_EQ(ring.header().magic, kRingMagic);
  EXPECT_EQ(ring.header().version, kRingVersion);
  EXPECT_EQ(ring.header().chunk_count, kChunkCount);
  EXPECT_EQ(ring.header().clock, kClock);
  EXPECT_EQ(ring.header().pid, ring.hello.pid);
  EXPECT_EQ(ring.header().exec_id, ring.hello.exec_id);
  EXPECT_EQ(ring.header().leases.load(), 1U);
  EXPECT_GE(allowed_chunks(ring.header().control.load()), kStartChunks);

  struct stat status {};
  ASSERT_EQ(fstat(ring.fd.get(), &status), 0);
  EXPECT_EQ(status.st_mode & 07777, mode_t{0600});
  EXPECT_EQ(status.st_size, static_cast<off_t>(kRingBytes));
  const int seals = fcntl(ring.fd.get(), F_GET_SEALS);
  EXPECT_EQ(seals & (F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL),
            F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL);
  EXPECT_EQ(seals & F_SEAL_WRITE, 0);
}

TEST(Ring, TakesMemoryOnlyForWhatIsInUse) {
  AgentStub agent;
  run_child(agent, [] { latido_mark("mark"); });
  const ReceivedRing ring = agent.receive();
  struct stat status {};
  ASSERT_EQ(fstat(ring.fd.get(), &status), 0);
  EXPECT_LE(status.st_blocks * 512, static_cast<blkcnt_t>(kFirstChunkOffset + kChunkBytes));
}

TEST(Descriptors, NoneStaysOpenAndClosingAllIsHarmless) {
  AgentStub agent;
  run_child(agent, [] {
    const std::size_t before = open_descriptors();
    latido_mark("before");
    check(open_descriptors() == before, "none stays open");
    check(close_range(0, ~0U, 0) == 0, "close all");
    for (int i = 0; i < 10'000; ++i) {
      LATIDO_ZONE("after");
    }
    check(latido_dropped() == 0, "none dropped");
  });
  EXPECT_EQ(read_lines(agent.receive()).size(), 20'001U);
}

TEST(Descriptors, AllClosedBeforeTheFirstEventIsHarmlessToo) {
  AgentStub agent;
  run_child(agent, [] {
    close_range(0, ~0U, 0);
    latido_mark("mark");
    check(open_descriptors() == 0 + 1, "only the listing's own");
  });
  EXPECT_EQ(read_lines(agent.receive()), Lines{"instant mark 0"});
}

}  // namespace
}  // namespace latido::capture
