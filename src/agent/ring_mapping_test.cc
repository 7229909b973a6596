// The reader against the real recorder, in processes of their own.
#include "agent/ring_mapping.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <functional>
#include <memory>
#include <thread>

#include "agent/listener.h"
#include "latido/latido.h"

namespace latido::agent {
namespace {

class RingMappingTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder_ =
        std::filesystem::temp_directory_path() / ("latido-ring-" + std::to_string(::getpid()));
    std::filesystem::create_directories(folder_);
    ::setenv("LATIDO_SOCKET", socket_path().c_str(), 1);
    ::unsetenv("LATIDO_DISABLE");
    auto listener = Listener::bind(socket_path());
    ASSERT_TRUE(listener.has_value()) << listener.error().message;
    listener_ = std::make_unique<Listener>(std::move(listener).value());
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string socket_path() const { return folder_ / "s"; }

  // Forks a process that runs `work`, and takes the ring that it hands over.
  pid_t record(const std::function<void()>& work) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      work();
      ::_exit(0);
    }
    return pid;
  }
  RingMapping take_ring() {
    std::optional<NewRing> ring;
    while (!ring) ring = listener_->accept();
    pid_seen_ = ring->pid;
    auto mapping = RingMapping::map(std::move(ring->memfd));
    EXPECT_TRUE(mapping.has_value()) << mapping.error().message;
    return std::move(mapping).value();
  }

  std::filesystem::path folder_;
  std::unique_ptr<Listener> listener_;
  pid_t pid_seen_ = 0;
};

std::size_t count_kind(const std::vector<ThreadRecords>& threads, capture::RecordKind kind) {
  std::size_t count = 0;
  for (const ThreadRecords& records : threads) {
    for (const RawRecord& record : records.records) {
      count += capture::head_kind(record.head) == kind ? 1 : 0;
    }
  }
  return count;
}

TEST_F(RingMappingTest, SeesTheZoneThatAKilledProcessDiedIn) {
  const pid_t pid = record([] {
    LATIDO_ZONE("outer");
    { LATIDO_ZONE("inner"); }
    ::raise(SIGKILL);
  });
  ::waitpid(pid, nullptr, 0);
  RingMapping ring = take_ring();
  EXPECT_EQ(pid_seen_, pid);
  std::vector<ThreadRecords> threads;
  const DrainCounts counts = ring.drain(threads);
  EXPECT_EQ(counts.malformed, 0U);
  EXPECT_EQ(count_kind(threads, capture::RecordKind::kBegin), 2U);
  EXPECT_EQ(count_kind(threads, capture::RecordKind::kEnd), 1U);
}

TEST_F(RingMappingTest, LosesNothingOfAProcessThatRecordsManyRingsFull) {
  constexpr std::size_t kZones = 3'000'000;  // 48 MB through a ring of 15
  const pid_t pid = record([] {
    for (std::size_t i = 0; i < kZones; ++i) {
      LATIDO_ZONE("zone");
      if (i % 1000 == 0) ::usleep(200);  // about 2 M zones/s
    }
  });
  RingMapping ring = take_ring();
  std::size_t begins = 0;
  std::size_t ends = 0;
  bool over = false;
  while (true) {
    std::vector<ThreadRecords> threads;
    const DrainCounts counts = ring.drain(threads);
    ASSERT_EQ(counts.malformed, 0U);
    begins += count_kind(threads, capture::RecordKind::kBegin);
    ends += count_kind(threads, capture::RecordKind::kEnd);
    if (over) break;
    over = ::waitpid(pid, nullptr, WNOHANG) == pid;
    ::usleep(1000);
  }
  EXPECT_EQ(begins + ring.dropped(), kZones);
  EXPECT_EQ(ends, begins);
}

// A process that fills its ring once it is told that all of it may be used.
class FilledRing : public RingMappingTest {
 protected:
  void SetUp() override {
    RingMappingTest::SetUp();
    std::array<int, 2> gate{};
    ASSERT_EQ(::pipe(gate.data()), 0);
    const UniqueFd read_end(gate[0]);
    const UniqueFd write_end(gate[1]);
    const pid_t pid = record([&] {
      char go = 0;
      latido_mark("first");
      if (::read(read_end.get(), &go, 1) != 1) ::_exit(1);
      for (int i = 0; i < 1'100'000; ++i) {
        LATIDO_ZONE("zone");
      }
    });
    std::optional<NewRing> ring;
    while (!ring) ring = listener_->accept();
    memfd_.reset(::fcntl(ring->memfd.get(), F_DUPFD_CLOEXEC, 0));
    auto mapping = RingMapping::map(std::move(ring->memfd));
    ASSERT_TRUE(mapping.has_value());
    ring_ = std::make_unique<RingMapping>(std::move(mapping).value());
    ring_->allow(capture::kChunkCount);
    ASSERT_EQ(::write(write_end.get(), "x", 1), 1);
    ::waitpid(pid, nullptr, 0);
  }

  std::int64_t resident_bytes() const {
    struct stat status {};
    ::fstat(memfd_.get(), &status);
    return status.st_blocks * 512;
  }

  UniqueFd memfd_;
  std::unique_ptr<RingMapping> ring_;
};

TEST_F(FilledRing, GivesIdleMemoryBack) {
  std::vector<ThreadRecords> threads;
  ring_->drain(threads);
  EXPECT_GT(resident_bytes(), 10 << 20);
  ring_->release_idle(4);
  EXPECT_LT(resident_bytes(), 1 << 20);
}

TEST_F(FilledRing, TakesMemoryBackAsItIsRead) {
  ring_->allow(16);
  EXPECT_EQ(ring_->held_beyond_allowed(), capture::kChunkCount - 16) << "full of what was not read";
  std::vector<ThreadRecords> threads;
  ring_->drain(threads);
  // The chunk that the thread had at its end was never sealed by anybody.
  EXPECT_LE(ring_->held_beyond_allowed(), 1U);
  EXPECT_LE(resident_bytes(),
            static_cast<std::int64_t>(capture::kFirstChunkOffset + 17 * capture::kChunkBytes));
}

TEST_F(RingMappingTest, TellsTheProcessHowMuchDetailToGiveUp) {
  std::array<int, 2> gate{};
  ASSERT_EQ(::pipe(gate.data()), 0);
  const UniqueFd read_end(gate[0]);
  const UniqueFd write_end(gate[1]);
  const pid_t pid = record([&] {
    latido_mark("first");
    char go = 0;
    const bool asked = ::read(read_end.get(), &go, 1) == 1;
    const std::uint32_t control = latido_control();
    ::_exit(asked && capture::reduction_of(control) == capture::Reduction::kNoRearm &&
                    capture::beat_of(control) == 200 && capture::allowed_chunks(control) == 5
                ? 0
                : 1);
  });
  RingMapping ring = take_ring();
  ring.allow(5);
  ring.steer(capture::Reduction::kNoRearm, 200);
  ASSERT_EQ(::write(write_end.get(), "x", 1), 1);
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST_F(FilledRing, IsReadInPortionsWithoutLoss) {
  std::uint64_t records = 0;
  std::size_t begins = 0;
  int portions = 0;
  do {
    std::vector<ThreadRecords> threads;
    const DrainCounts counts = ring_->drain(threads, 100'000);
    EXPECT_LE(counts.records, 100'000 + capture::kChunkWords);
    records += counts.records;
    begins += count_kind(threads, capture::RecordKind::kBegin);
    ++portions;
  } while (ring_->behind());
  EXPECT_GT(portions, 10);
  EXPECT_EQ(begins + ring_->dropped(), 1'100'000U);
  EXPECT_EQ(records, 2 * begins + 3) << "two sites and a mark";
}

TEST_F(FilledRing, ShowsItsSitesBeforeTheyAreRead) {
  std::vector<ThreadRecords> sites = ring_->sites();
  ASSERT_EQ(sites.size(), 1U);
  ASSERT_EQ(sites[0].records.size(), 2U);
  EXPECT_EQ(sites[0].text(sites[0].records[1]).substr(0, 10), std::string_view("zone\0zone\0", 10));
}

TEST_F(FilledRing, HoldsItsHeaderOnlyOnceWeAreDone) {
  ring_->release_all();
  EXPECT_LE(resident_bytes(), static_cast<std::int64_t>(capture::kFirstChunkOffset));
}

TEST(RingMapping, RefusesMemoryThatIsNoSealedRing) {
  UniqueFd small(::memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  EXPECT_EQ(RingMapping::map(std::move(small)).error().code, ErrorCode::kInvalidInput);

  UniqueFd unsealed(::memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(unsealed.get(), capture::kRingBytes), 0);
  EXPECT_EQ(RingMapping::map(std::move(unsealed)).error().message,
            "not a recording ring: it can be shrunk");

  UniqueFd zeros(::memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(zeros.get(), capture::kRingBytes), 0);
  ASSERT_EQ(::fcntl(zeros.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
  EXPECT_EQ(RingMapping::map(std::move(zeros)).error().message,
            "not a recording ring: its magic number is wrong");
}

TEST(RingMapping, SurvivesARingOfNoise) {
  UniqueFd memory(::memfd_create("x", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  ASSERT_EQ(::ftruncate(memory.get(), capture::kRingBytes), 0);
  auto* const bytes = static_cast<std::byte*>(
      ::mmap(nullptr, capture::kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memory.get(), 0));
  std::uint32_t random = 1;
  for (std::size_t i = 0; i < capture::kRingBytes; i += 4) {
    random = random * 1664525 + 1013904223;
    std::memcpy(bytes + i, &random, 4);
  }
  auto* const header = reinterpret_cast<capture::RingHeader*>(bytes);
  header->magic = capture::kRingMagic;
  header->version = capture::kRingVersion;
  auto* const chunks = reinterpret_cast<capture::ChunkHeader*>(bytes + capture::kPageBytes);
  for (std::uint32_t i = 0; i < capture::kChunkCount; ++i) chunks[i].state.store(1 + i % 2);
  ::munmap(bytes, capture::kRingBytes);
  ASSERT_EQ(::fcntl(memory.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW), 0);
  auto ring = RingMapping::map(std::move(memory));
  ASSERT_TRUE(ring.has_value());
  std::vector<ThreadRecords> threads;
  EXPECT_GT(ring.value().drain(threads).malformed, 0U);
}

}  // namespace
}  // namespace latido::agent
