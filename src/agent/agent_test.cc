// How the agent shares memory between rings. The processes here only hand over rings; nothing records.
#include "agent/agent.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <filesystem>
#include <string>

#include "agent/ring_budget.h"
#include "base/clock.h"
#include "base/mapped_memory.h"

namespace latido::agent {
namespace {

// An empty ring, as a process makes it.
class Ring {
 public:
  Ring() : fd_(::memfd_create("test-ring", MFD_CLOEXEC | MFD_ALLOW_SEALING)) {
    EXPECT_EQ(::ftruncate(fd_.get(), capture::kRingBytes), 0);
    EXPECT_EQ(::fcntl(fd_.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
    void* const data =
        ::mmap(nullptr, capture::kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd_.get(), 0);
    EXPECT_NE(data, MAP_FAILED);
    memory_ = MappedMemory(data, capture::kRingBytes);
    header().magic = capture::kRingMagic;
    header().version = capture::kRingVersion;
    header().clock = capture::ClockKind::kMonotonicNs;
    header().control.store(capture::control_word({}));
  }

  int fd() const { return fd_.get(); }
  capture::RingHeader& header() const {
    return *reinterpret_cast<capture::RingHeader*>(memory_.data());
  }
  std::uint32_t allowed() const { return capture::allowed_chunks(header().control.load()); }
  // Chunk `index` looks as if a thread were writing to it.
  void lease(std::uint32_t index) const {
    auto* const chunks =
        reinterpret_cast<capture::ChunkHeader*>(memory_.data() + capture::kPageBytes);
    chunks[index].state.store(static_cast<std::uint32_t>(capture::ChunkState::kLeased));
    chunks[index].lease.store(index + 1);
  }

  // Has a chunk backed by memory.
  void touch(std::uint32_t index) const {
    std::memset(memory_.data() + capture::kFirstChunkOffset + index * capture::kChunkBytes, 0,
                capture::kChunkBytes);
  }
  std::int64_t resident_bytes() const {
    struct stat status {};
    ::fstat(fd_.get(), &status);
    return status.st_blocks * 512;
  }

 private:
  UniqueFd fd_;
  MappedMemory memory_;
};

class AgentTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("latido-agent-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    auto agent = Agent::start(path());
    ASSERT_TRUE(agent.has_value()) << agent.error().message;
    agent_ = std::move(agent).value();
  }
  void TearDown() override {
    for (const pid_t child : children_) end(child);
    agent_.reset();
    std::filesystem::remove_all(folder_);
  }

  std::string path() const { return folder_ / "s"; }

  // Hands over a ring in the name of the calling process; without one when `ring` is negative.
  void hand_over(int ring) const {
    const UniqueFd link(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0));
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    path().copy(address.sun_path, sizeof(address.sun_path) - 1);
    ASSERT_EQ(::connect(link.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)), 0);
    capture::Hello hello{.magic = capture::kRingMagic,
                         .version = capture::kRingVersion,
                         .pid = static_cast<std::uint32_t>(::getpid()),
                         .exec_id = 1};
    iovec body{.iov_base = &hello, .iov_len = sizeof(hello)};
    alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
    msghdr message{};
    message.msg_iov = &body;
    message.msg_iovlen = 1;
    if (ring >= 0) {
      message.msg_control = control;
      message.msg_controllen = sizeof(control);
      cmsghdr* const rights = CMSG_FIRSTHDR(&message);
      rights->cmsg_level = SOL_SOCKET;
      rights->cmsg_type = SCM_RIGHTS;
      rights->cmsg_len = CMSG_LEN(sizeof(int));
      std::memcpy(CMSG_DATA(rights), &ring, sizeof(ring));
    }
    ASSERT_EQ(::sendmsg(link.get(), &message, MSG_NOSIGNAL), ssize_t{sizeof(hello)});
  }

  // A process that hands over `ring` and lives on.
  pid_t start(const Ring& ring) {
    const pid_t child = ::fork();
    if (child == 0) {
      hand_over(ring.fd());
      while (true) ::pause();
    }
    children_.push_back(child);
    return child;
  }
  void end(pid_t child) {
    ::kill(child, SIGKILL);
    ::waitpid(child, nullptr, 0);
  }
  // Until the agent has `ring`: it then has another share than the one it began with.
  void drain_until_taken(const Ring& ring) {
    while (ring.allowed() == capture::kStartChunks) agent_->drain(batch_);
  }

  std::filesystem::path folder_;
  std::unique_ptr<Agent> agent_;
  std::vector<pid_t> children_;
  Batch batch_;
};

TEST_F(AgentTest, GivesEachRingAnEqualShare) {
  const std::vector<Ring> rings(40);
  for (const Ring& ring : rings) start(ring);
  for (const Ring& ring : rings) drain_until_taken(ring);
  for (const Ring& ring : rings) EXPECT_EQ(ring.allowed(), fair_chunks(40));

  for (std::size_t i = 1; i < children_.size(); ++i) end(children_[i]);
  agent_->drain(batch_);
  agent_->sample(monotonic_now_ns(), batch_);
  EXPECT_EQ(rings[0].allowed(), capture::kChunkCount) << "the others have ended";
}

TEST_F(AgentTest, GivesNobodyWhatAnotherStillHolds) {
  constexpr std::size_t kRings = 9;
  const std::vector<Ring> rings(kRings);
  for (std::size_t i = 0; i < kRings - 1; ++i) {
    start(rings[i]);
    drain_until_taken(rings[i]);
  }
  // All that the eight may have is in use, to the last chunk, and stays so.
  const std::uint32_t before = fair_chunks(kRings - 1);
  for (std::size_t i = 0; i < kRings - 1; ++i) {
    for (std::uint32_t chunk = 0; chunk < before; ++chunk) rings[i].lease(chunk);
  }
  agent_->drain(batch_);
  start(rings.back());
  while (agent_->counts().refused_rings == 0) agent_->drain(batch_);
  EXPECT_NE(rings.back().header().control.load() & capture::kControlStop, 0U) << "no room for it";
  std::int64_t allowed = 0;
  for (std::size_t i = 0; i < kRings - 1; ++i) allowed += rings[i].allowed();
  EXPECT_LE(allowed, chunks_of_run(kRings - 1));
  EXPECT_EQ(agent_->counts().refused_rings, 1U);
}

TEST_F(AgentTest, ForgetsTheRingOfAProcessThatBecameAnotherProgram) {
  const Ring first;
  const Ring second;
  first.touch(0);
  second.touch(0);
  hand_over(first.fd());
  drain_until_taken(first);
  hand_over(second.fd());
  drain_until_taken(second);
  agent_->drain(batch_);
  EXPECT_LE(first.resident_bytes(), static_cast<std::int64_t>(capture::kFirstChunkOffset));
  EXPECT_GT(second.resident_bytes(), static_cast<std::int64_t>(capture::kChunkBytes));
}

TEST_F(AgentTest, CountsZonesForWhichARingHasNoMoreNames) {
  const Ring first;
  const Ring second;
  first.header().other_sites.store(5);
  second.header().other_sites.store(2);
  hand_over(first.fd());
  drain_until_taken(first);
  EXPECT_EQ(agent_->counts().other_sites, 5U);
  hand_over(second.fd());  // the same process with another program
  drain_until_taken(second);
  agent_->drain(batch_);
  EXPECT_EQ(agent_->counts().other_sites, 7U);
}

TEST_F(AgentTest, CountsAProcessThatCouldMakeNoRing) {
  hand_over(-1);
  while (agent_->counts().refused_rings == 0) agent_->drain(batch_);
  EXPECT_EQ(agent_->counts().refused_rings, 1U);
}

}  // namespace
}  // namespace latido::agent
