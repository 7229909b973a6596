// The memory that a recording process shares with the agent, bit by bit. Depends on libc only.
//
// One sealed memfd per process (the process may neither grow nor shrink it, so that the agent can
// read it without fear of SIGBUS), made by the process and handed over once on the agent's socket:
//
//   page 0              RingHeader
//   page 1 …            one ChunkHeader per chunk
//   kFirstChunkOffset   chunk 0, chunk 1, … of kChunkBytes each
//
// A thread leases a free chunk and appends 8-byte words; no other thread writes to it. A word of
// zero is "not written yet": the words of a record after its head are stored first, the head last,
// with release order. So a reader needs no write position, and a killed process loses at most the
// record that it was writing.
//
// Head word:   bit 0-1 RecordKind | bit 2-19 id (18 bits) | bit 20-63 ticks (44 bits)
// A zone record is its head alone. An extended record has two more words, and texts follow them:
//
//            head.id    word 1 above bit 8   word 2             more words
//   kArg     its name   0                    number             -
//   kValue   series     index (32 bits)      bits of a double   -
//   kInstant site       0                    number             -
//   kText    site       length in bytes      0                  ceil(length / 8) words of text
//   kSite    new site   length in bytes      line               ceil(length / 8) words of text
//
// The low 8 bits of word 1 are the ExtendedKind, so the reader knows the length from there. A
// record never crosses into another chunk. Texts are zero-padded; that of kSite is
// "name\0category\0file". kArg belongs to the innermost open zone of its thread and has the ticks of
// the record before it. An end closes the innermost open zone of its thread, also one that was begun
// in an earlier chunk; its id is that of the begin.
//
// Reading. Collect the chunks with a lease (acquire), then read each thread's in the order of
// lease, each up to its first word of zero. The process stores `state` = kSealed of a thread's chunk
// before the `lease` of its next one: whoever sees the next one sees all words of the one before. A
// site's kSite is stored before the site's first use, but maybe in another thread's chunk: read the
// other chunks before giving up on an id. Two threads that define one site at the same time make two
// kSite of different ids with the same text; only one of the ids is used.
//
// Giving back a sealed chunk: zero its words, `ended` and `lease`, then store `state` = kFree with
// release.
//
// Taking memory away: the agent lowers the number of chunks in `control` and looks at the states
// afterwards; the process leases a chunk and looks at `control` afterwards. Both in sequential order, so
// either the process gives the chunk back untouched, or the agent sees it leased.
//
// Ticks are the ring's clock modulo 2^44 (98 minutes at 3 GHz). The agent drains far more often
// than that, so it takes the tick nearest to its drain that has these low bits.
//
// Example: zone site 5 begun at tick 0x123: 0x123 << 20 | 5 << 2 | 1 = 0x12300015.
#pragma once

#include <atomic>
#include <cstdint>

namespace latido::capture {

inline constexpr std::uint64_t kRingMagic = 0x31474E495254414CULL;  // "LATRING1"
inline constexpr std::uint32_t kRingVersion = 1;

inline constexpr std::uint64_t kPageBytes = 4096;
inline constexpr std::uint64_t kChunkBytes = 65536;
inline constexpr std::uint64_t kChunkWords = kChunkBytes / 8;
inline constexpr std::uint32_t kChunkCount = 240;  // 15 MiB; with the header below 16 MiB a process
inline constexpr std::uint64_t kFirstChunkOffset = 4 * kPageBytes;
inline constexpr std::uint64_t kRingBytes = kFirstChunkOffset + kChunkCount * kChunkBytes;

inline constexpr unsigned kKindBits = 2;
inline constexpr unsigned kIdBits = 18;
inline constexpr unsigned kTickBits = 44;
inline constexpr std::uint32_t kMaxSites = 1U << kIdBits;
inline constexpr std::uint32_t kOtherSites = 0;  // the site of all zones whose own found no id left
inline constexpr std::uint64_t kTickMask = (1ULL << kTickBits) - 1;
inline constexpr std::uint32_t kMaxTextBytes = 4096;  // longer text is cut

enum class RecordKind : std::uint8_t { kUnwritten = 0, kBegin = 1, kEnd = 2, kExtended = 3 };
enum class ExtendedKind : std::uint8_t { kArg = 1, kValue = 2, kInstant = 3, kText = 4, kSite = 5 };

enum class ClockKind : std::uint32_t { kTsc = 1, kCntvct = 2, kMonotonicNs = 3 };

// Who may change it: the process makes free → leased → sealed, the agent sealed → free. The agent also
// makes free → sealed for the moment in which it gives the chunk's pages back to the system.
enum class ChunkState : std::uint32_t { kFree = 0, kLeased = 1, kSealed = 2 };

// Shared between processes: only lock-free atomics of fixed size, little-endian.
template <typename T>
using Shared = std::atomic<T>;

struct ChunkHeader {
  Shared<std::uint32_t> state;  // ChunkState
  std::uint32_t tid;            // of the leasing thread, in the process's PID namespace
  std::uint64_t base_ticks;     // whole clock value when leased: all records come after it
  // 1, 2, 3, … over all leases of the process: orders a thread's chunks. Stored last when leasing,
  // with release; 0 in a free chunk, so that a reader never takes a half-filled header for a lease.
  Shared<std::uint64_t> lease;
  std::uint32_t thread;  // 1, 2, 3, … over the process's threads; a tid is reused, this is not
  Shared<std::uint32_t> ended;  // 1 in a sealed chunk: the thread is gone, its open zones end here
};
static_assert(sizeof(ChunkHeader) == 32);

// RingHeader::control, written by the agent: bit 0 stop, bit 1-2 the Reduction, bit 8-15 a beat that
// changes each second (whoever has switched something off looks at it again then), bit 16-31 how many
// chunks the process may use, the lowest ones. Until the agent has spoken, kStartChunks, so that many
// processes that begin at once stay small.
inline constexpr std::uint32_t kControlStop = 1;  // record nothing more
inline constexpr unsigned kControlReductionShift = 1;
inline constexpr unsigned kControlBeatShift = 8;
inline constexpr unsigned kControlChunksShift = 16;
inline constexpr std::uint32_t kStartChunks = 8;

// How much of the detail that was asked for is given up, to stay within the overhead budget. Read at
// each step's end and each second. Steps, phases and the user's own zones are always recorded.
enum class Reduction : std::uint8_t {
  kNone = 0,
  kAdaptive = 1,   // full recording of functions becomes adaptive; layers are looked at less often
  kNoRearm = 2,    // elided functions are not looked at again; no layers
  kStepsOnly = 3,  // no functions, no layers
};
inline constexpr std::uint32_t kReductionMask = 3;

struct Control {
  std::uint32_t chunks = kStartChunks;
  bool stop = false;
  Reduction reduction = Reduction::kNone;
  std::uint8_t beat = 0;

  bool operator==(const Control&) const = default;
};

constexpr std::uint32_t control_word(const Control& control) noexcept {
  return control.chunks << kControlChunksShift |
         static_cast<std::uint32_t>(control.beat) << kControlBeatShift |
         static_cast<std::uint32_t>(control.reduction) << kControlReductionShift |
         (control.stop ? kControlStop : 0);
}
constexpr Reduction reduction_of(std::uint32_t control) noexcept {
  return static_cast<Reduction>(control >> kControlReductionShift & kReductionMask);
}
constexpr std::uint8_t beat_of(std::uint32_t control) noexcept {
  return static_cast<std::uint8_t>(control >> kControlBeatShift);
}
constexpr std::uint32_t allowed_chunks(std::uint32_t control) noexcept {
  const std::uint32_t chunks = control >> kControlChunksShift;
  return chunks < kChunkCount ? chunks : kChunkCount;
}

struct RingHeader {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t chunk_count;
  ClockKind clock;
  std::uint32_t pid;              // in the process's own PID namespace
  std::uint64_t exec_id;          // random: tells two images of one pid apart
  Shared<std::uint32_t> control;  // written by the agent once it has the ring
  std::uint32_t unused;
  Shared<std::uint64_t> dropped;      // zones and extended records that found no room, each once
  Shared<std::uint64_t> other_sites;  // zones of sites beyond kMaxSites
  Shared<std::uint64_t> leases;       // so far
  Shared<std::uint64_t> sites;        // ids given out so far
  std::uint8_t reserved[kPageBytes - 72];
};
static_assert(sizeof(RingHeader) == kPageBytes);
static_assert(kPageBytes + kChunkCount * sizeof(ChunkHeader) <= kFirstChunkOffset);

// The one message on the agent's socket (SOCK_SEQPACKET); the memfd comes along as SCM_RIGHTS.
struct Hello {
  std::uint64_t magic;
  std::uint32_t version;
  std::uint32_t pid;
  std::uint64_t exec_id;
};
static_assert(sizeof(Hello) == 24);

constexpr std::uint64_t head_word(RecordKind kind, std::uint32_t id, std::uint64_t ticks) noexcept {
  return (ticks << (kKindBits + kIdBits)) | (static_cast<std::uint64_t>(id) << kKindBits) |
         static_cast<std::uint64_t>(kind);
}
constexpr RecordKind head_kind(std::uint64_t head) noexcept {
  return static_cast<RecordKind>(head & ((1U << kKindBits) - 1));
}
constexpr std::uint32_t head_id(std::uint64_t head) noexcept {
  return static_cast<std::uint32_t>(head >> kKindBits) & (kMaxSites - 1);
}
constexpr std::uint64_t head_ticks(std::uint64_t head) noexcept {
  return head >> (kKindBits + kIdBits);
}

}  // namespace latido::capture
