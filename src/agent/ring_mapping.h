// RingMapping: the agent's view of one process's shared memory. Everything read from it is hostile.
//
// Called from the agent's thread only. Never trusts a length, state or id of the ring; never blocks.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/mapped_memory.h"
#include "base/result.h"
#include "base/unique_fd.h"
#include "capture/ring_format.h"

namespace latido::agent {

// A record as it stood in the ring, copied: the memory it came from may change.
struct RawRecord {
  std::uint64_t head = 0;
  std::uint64_t number = 0;          // kArg, kInstant: number; kValue: bits; kSite: line
  std::uint32_t index = 0;           // kValue: index; kText, kSite: length of the text
  std::uint32_t text_offset = 0;     // kText, kSite: where the text stands in ThreadRecords::texts
  capture::ExtendedKind extended{};  // of kExtended records
};

// What one thread wrote into one chunk since the last drain, in its order.
struct ThreadRecords {
  std::uint32_t thread = 0;  // ChunkHeader::thread: never reused in a process
  std::uint32_t tid = 0;
  bool ended = false;  // the thread is gone: zones it left open end with its last record
  std::vector<RawRecord> records;
  std::string texts;

  std::string_view text(const RawRecord& record) const {
    return std::string_view(texts).substr(record.text_offset, record.index);
  }
};

struct DrainCounts {
  std::uint64_t records = 0;  // also those of unknown sites
  std::uint64_t malformed = 0;
};

class RingMapping {
 public:
  // Maps the memfd that came with a Hello. Errors: kInvalidInput when it is no sealed ring, kUnsupported
  // when it is one of another version, kExhausted when it cannot be mapped.
  static Result<RingMapping> map(UniqueFd memfd);

  // Takes what is new. Chunks read to their end are zeroed and given back. Appends to `out` one entry
  // per chunk that has something to say; entries of one thread are in order. Stops after the chunk with
  // which it has `most` records; the next call goes on there.
  DrainCounts drain(std::vector<ThreadRecords>& out, std::uint64_t most = UINT64_MAX);
  // The last drain() stopped early.
  bool behind() const noexcept { return next_work_ < work_.size(); }
  // All site records that are in the ring, read or not. Takes nothing.
  std::vector<ThreadRecords> sites() const;

  // Gives the memory of chunks that nobody uses back to the system, but for `keep_warm` of them.
  void release_idle(std::uint32_t keep_warm);
  // We are done with it: gives the memory of all chunks back, which the process or a forked child may
  // still have mapped.
  void release_all();

  // From now on the process uses the lowest `chunks` only; what it holds beyond them goes back to the
  // system as it is read.
  void allow(std::uint32_t chunks);
  std::uint32_t allowed() const noexcept { return control_.chunks; }
  // Chunks beyond those allowed that still have memory.
  std::uint32_t held_beyond_allowed() const noexcept;

  capture::ClockKind clock() const noexcept { return clock_; }
  std::uint64_t dropped() const noexcept;      // zones and values that found no room, so far
  std::uint64_t other_sites() const noexcept;  // zones that stand under one name, for want of ids
  void stop_recording() noexcept;
  // How much detail the process is to give up, and the beat (ring_format.h).
  void steer(capture::Reduction reduction, std::uint8_t beat) noexcept;

 private:
  struct Chunk {
    std::uint32_t words_read = 0;
    std::uint64_t lease = 0;
    bool dirty = false;   // memory was touched since it was last given back
    bool broken = false;  // malformed: skipped until it is sealed
  };
  struct Work {
    std::uint64_t lease;
    std::uint32_t chunk;
  };

  RingMapping() = default;
  capture::RingHeader& header() const noexcept;
  capture::ChunkHeader& chunk_header(std::uint32_t chunk) const noexcept;
  std::atomic<std::uint64_t>* words(std::uint32_t chunk) const noexcept;
  void find_work(std::vector<Work>& out);
  void read_chunk(std::uint32_t chunk, ThreadRecords& out, DrainCounts& counts);
  bool read_record(std::uint32_t chunk, std::uint32_t& position, ThreadRecords& out) const;
  void give_back(std::uint32_t chunk);
  bool release_if_free(std::uint32_t chunk);
  bool punch(std::uint32_t chunk);

  UniqueFd memfd_;
  MappedMemory memory_;
  std::vector<Chunk> chunks_;
  std::vector<Work> work_;  // chunks to read, as seen at once, and how far in it
  std::size_t next_work_ = 0;
  capture::ClockKind clock_ = capture::ClockKind::kMonotonicNs;
  capture::Control control_;  // as we said last; what the header says is theirs
};

}  // namespace latido::agent
