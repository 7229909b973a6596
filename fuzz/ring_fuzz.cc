// Plays a hostile process: writes the input's bytes anywhere into a ring while the agent drains it.
//
// The input is a list of writes: place (1 byte), offset (2 bytes, in words), length (1 byte), bytes. A
// place above kDrain drains in between, so that words change under a reader that has seen them.
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <span>
#include <vector>

#include "agent/ring_decoder.h"
#include "agent/ring_mapping.h"
#include "agent/table_builder.h"
#include "capture/ring_format.h"

namespace {

using namespace latido;
using namespace latido::agent;

constexpr std::uint8_t kChunks = 3;  // places 0 to 2: words of a chunk; 3: chunk headers; 4: header
constexpr std::uint8_t kChunkHeaders = kChunks;
constexpr std::uint8_t kHeader = kChunks + 1;
constexpr std::uint8_t kDrain = 0xF0;

void check(bool good) {
  if (!good) std::abort();
}

UniqueFd make_memfd() {
  UniqueFd fd(memfd_create("ring", MFD_CLOEXEC | MFD_ALLOW_SEALING));
  check(ftruncate(fd.get(), static_cast<off_t>(capture::kRingBytes)) == 0);
  check(fcntl(fd.get(), F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) == 0);
  return fd;
}

// The process's side of the ring.
class Hostile {
 public:
  explicit Hostile(int fd)
      : memory_(static_cast<std::byte*>(
            mmap(nullptr, capture::kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0))) {
    check(memory_ != MAP_FAILED);
    auto& header = *reinterpret_cast<capture::RingHeader*>(memory_);
    header.magic = capture::kRingMagic;
    header.version = capture::kRingVersion;
    header.clock = capture::ClockKind::kMonotonicNs;
    auto* const chunks = reinterpret_cast<capture::ChunkHeader*>(memory_ + capture::kPageBytes);
    for (std::uint32_t i = 0; i < kChunks; ++i) {
      chunks[i].state = static_cast<std::uint32_t>(capture::ChunkState::kLeased);
      chunks[i].lease = i + 1;
      chunks[i].thread = 1 + i / 2;
    }
  }
  Hostile(const Hostile&) = delete;
  Hostile& operator=(const Hostile&) = delete;
  ~Hostile() { munmap(memory_, capture::kRingBytes); }

  void write(std::uint8_t place, std::uint64_t offset, std::span<const std::uint8_t> bytes) {
    std::uint64_t begin = capture::kFirstChunkOffset + place * capture::kChunkBytes;
    std::uint64_t room = capture::kChunkBytes;
    if (place == kChunkHeaders) {
      begin = capture::kPageBytes;
      room = capture::kChunkCount * sizeof(capture::ChunkHeader);
    } else if (place == kHeader) {
      begin = 0;
      room = sizeof(capture::RingHeader);
    }
    offset %= room;
    std::memcpy(memory_ + begin + offset, bytes.data(), std::min(bytes.size(), room - offset));
  }

 private:
  std::byte* memory_;
};

// The agent's side. What it passes on must be whole.
class Reader {
 public:
  explicit Reader(RingMapping ring)
      : ring_(std::move(ring)), decoder_(tables_.process(1, 1, 0, 0), tables_) {}

  void drain() {
    std::vector<ThreadRecords> threads;
    const DrainCounts counts = ring_.drain(threads, 1000);
    std::uint64_t records = 0;
    for (const ThreadRecords& thread : threads) {
      records += thread.records.size();
      for (const RawRecord& record : thread.records) (void)thread.text(record);
    }
    check(records <= counts.records + counts.malformed);
    std::vector<model::Event> events;
    decoder_.decode(threads, TickClock({0, 0}, {1'000'000'000, 1'000'000'000}), events,
                    [this] { return ring_.sites(); });
    for (const model::Event& event : events) {
      check(model::index_of(event.track) < tables_.tables().tracks.size());
      check(model::index_of(event.site) < tables_.tables().sites.size());
    }
  }

  void end() {
    ring_.allow(1);
    ring_.release_idle(1);
    (void)ring_.held_beyond_allowed();
    ring_.stop_recording();
    ring_.release_all();
  }

 private:
  TableBuilder tables_;
  RingMapping ring_;
  RingDecoder decoder_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  UniqueFd fd = make_memfd();
  Hostile process(fd.get());
  auto ring = RingMapping::map(std::move(fd));
  check(ring.has_value());
  Reader reader(std::move(ring).value());
  std::span<const std::uint8_t> left(data, size);
  while (left.size() >= 4) {
    const std::uint8_t place = left[0];
    const std::uint64_t offset = (left[1] | std::uint64_t{left[2]} << 8U) * 8;
    const std::size_t length = std::min<std::size_t>(left[3], left.size() - 4);
    if (place >= kDrain) {
      reader.drain();
    } else {
      process.write(place % (kHeader + 1), offset, left.subspan(4, length));
    }
    left = left.subspan(4 + (place >= kDrain ? 0 : length));
  }
  reader.drain();
  reader.end();
  return 0;
}
