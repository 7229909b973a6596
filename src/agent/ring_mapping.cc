#include "agent/ring_mapping.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <utility>

namespace latido::agent {
namespace {

using capture::ChunkState;
using capture::ExtendedKind;
using capture::RecordKind;

constexpr std::uint32_t kExtendedWords = 3;

Error not_a_ring(const char* why) {
  return {ErrorCode::kInvalidInput, std::string("not a recording ring: ") + why};
}

bool has_text(ExtendedKind kind) noexcept {
  return kind == ExtendedKind::kText || kind == ExtendedKind::kSite;
}

bool is_known(ExtendedKind kind) noexcept {
  return kind >= ExtendedKind::kArg && kind <= ExtendedKind::kSite;
}

}  // namespace

Result<RingMapping> RingMapping::map(UniqueFd memfd) {
  struct stat status {};
  if (::fstat(memfd.get(), &status) != 0) return errno_error(errno, "fstat of a ring");
  if (static_cast<std::uint64_t>(status.st_size) != capture::kRingBytes) {
    return not_a_ring("its size is wrong");
  }
  // Without the seal the process could shrink the file under us, and reading it would kill us.
  const int seals = ::fcntl(memfd.get(), F_GET_SEALS);
  if (seals < 0 || (seals & F_SEAL_SHRINK) == 0) return not_a_ring("it can be shrunk");
  void* const data =
      ::mmap(nullptr, capture::kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, memfd.get(), 0);
  if (data == MAP_FAILED) return errno_error(errno, "mapping a ring");

  RingMapping ring;
  ring.memory_ = MappedMemory(data, capture::kRingBytes);
  ring.memfd_ = std::move(memfd);
  const capture::RingHeader& header = ring.header();
  if (header.magic != capture::kRingMagic) return not_a_ring("its magic number is wrong");
  if (header.version != capture::kRingVersion) {
    return Error{ErrorCode::kUnsupported,
                 "the program's recorder speaks ring version " + std::to_string(header.version) +
                     ", this latido speaks " + std::to_string(capture::kRingVersion)};
  }
  ring.clock_ = header.clock;
  ring.chunks_.resize(capture::kChunkCount);
  return ring;
}

capture::RingHeader& RingMapping::header() const noexcept {
  return *reinterpret_cast<capture::RingHeader*>(memory_.data());
}

capture::ChunkHeader& RingMapping::chunk_header(std::uint32_t chunk) const noexcept {
  return *(reinterpret_cast<capture::ChunkHeader*>(memory_.data() + capture::kPageBytes) + chunk);
}

std::atomic<std::uint64_t>* RingMapping::words(std::uint32_t chunk) const noexcept {
  return reinterpret_cast<std::atomic<std::uint64_t>*>(memory_.data() + capture::kFirstChunkOffset +
                                                       chunk * capture::kChunkBytes);
}

std::uint64_t RingMapping::dropped() const noexcept {
  return header().dropped.load(std::memory_order_relaxed);
}

std::uint64_t RingMapping::other_sites() const noexcept {
  return header().other_sites.load(std::memory_order_relaxed);
}

void RingMapping::stop_recording() noexcept {
  control_.stop = true;
  header().control.store(capture::control_word(control_), std::memory_order_relaxed);
}

void RingMapping::steer(capture::Reduction reduction, std::uint8_t beat) noexcept {
  control_.reduction = reduction;
  control_.beat = beat;
  header().control.store(capture::control_word(control_), std::memory_order_relaxed);
}

void RingMapping::find_work(std::vector<Work>& out) {
  out.clear();
  for (std::uint32_t i = 0; i < capture::kChunkCount; ++i) {
    const capture::ChunkHeader& header = chunk_header(i);
    const auto state = static_cast<ChunkState>(header.state.load(std::memory_order_acquire));
    if (state != ChunkState::kLeased && state != ChunkState::kSealed) continue;
    const std::uint64_t lease = header.lease.load(std::memory_order_acquire);
    if (lease == 0) continue;  // being leased this very moment
    if (chunks_[i].lease != lease) chunks_[i] = {.lease = lease, .dirty = true};
    out.push_back({lease, i});
  }
  std::ranges::sort(out, {}, &Work::lease);
}

DrainCounts RingMapping::drain(std::vector<ThreadRecords>& out, std::uint64_t most) {
  DrainCounts counts;
  if (!behind()) {
    find_work(work_);
    next_work_ = 0;
  }
  while (behind() && counts.records < most) {
    const std::uint32_t chunk = work_[next_work_++].chunk;
    const capture::ChunkHeader& header = chunk_header(chunk);
    // Read the state before the words: sealed then means that no word can still come.
    const bool sealed = static_cast<ChunkState>(header.state.load(std::memory_order_acquire)) ==
                        ChunkState::kSealed;
    ThreadRecords thread{.thread = header.thread, .tid = header.tid, .records = {}, .texts = {}};
    if (!chunks_[chunk].broken) read_chunk(chunk, thread, counts);
    if (sealed) {
      thread.ended = header.ended.load(std::memory_order_relaxed) != 0;
      give_back(chunk);
    }
    if (!thread.records.empty() || thread.ended) out.push_back(std::move(thread));
  }
  return counts;
}

std::vector<ThreadRecords> RingMapping::sites() const {
  std::vector<ThreadRecords> found;
  for (std::uint32_t chunk = 0; chunk < capture::kChunkCount; ++chunk) {
    if (chunk_header(chunk).lease.load(std::memory_order_acquire) == 0) continue;
    ThreadRecords all;
    std::uint32_t position = 0;
    while (position < capture::kChunkWords &&
           words(chunk)[position].load(std::memory_order_acquire) != 0 &&
           read_record(chunk, position, all)) {
      const bool is_site = capture::head_kind(all.records.back().head) == RecordKind::kExtended &&
                           all.records.back().extended == ExtendedKind::kSite;
      if (!is_site) all.records.pop_back();
    }
    if (!all.records.empty()) found.push_back(std::move(all));
  }
  return found;
}

// Reads whole records from where the last drain stopped.
void RingMapping::read_chunk(std::uint32_t chunk, ThreadRecords& out, DrainCounts& counts) {
  Chunk& state = chunks_[chunk];
  while (state.words_read < capture::kChunkWords) {
    if (words(chunk)[state.words_read].load(std::memory_order_acquire) == 0) return;
    if (!read_record(chunk, state.words_read, out)) {
      // Nothing after a record of unknown length can be read; the rest of this lease is lost.
      state.broken = true;
      ++counts.malformed;
      return;
    }
    ++counts.records;
  }
}

// Reads the record at `position` and moves on. Returns false when it makes no sense.
bool RingMapping::read_record(std::uint32_t chunk, std::uint32_t& position,
                              ThreadRecords& out) const {
  const std::atomic<std::uint64_t>* const word = words(chunk) + position;
  const auto load = [word](std::uint64_t i) { return word[i].load(std::memory_order_relaxed); };
  const std::uint64_t room = capture::kChunkWords - position;

  RawRecord record{.head = load(0)};
  if (capture::head_kind(record.head) == RecordKind::kUnwritten) return false;
  if (capture::head_kind(record.head) != RecordKind::kExtended) {
    out.records.push_back(record);
    position += 1;
    return true;
  }
  if (room < kExtendedWords) return false;
  const std::uint64_t kind_and_detail = load(1);  // once: the process may change it meanwhile
  record.extended = static_cast<ExtendedKind>(kind_and_detail & 0xFFU);
  record.index = static_cast<std::uint32_t>(kind_and_detail >> 8U);
  record.number = load(2);
  if (!is_known(record.extended)) return false;
  std::uint32_t text_words = 0;
  if (has_text(record.extended)) {
    if (record.index > capture::kMaxTextBytes) return false;
    text_words = (record.index + 7) / 8;
    if (room < kExtendedWords + text_words) return false;
    record.text_offset = static_cast<std::uint32_t>(out.texts.size());
    for (std::uint32_t i = 0; i < text_words; ++i) {
      const std::uint64_t text = load(kExtendedWords + i);
      out.texts.append(reinterpret_cast<const char*>(&text), sizeof(text));
    }
  }
  out.records.push_back(record);
  position += kExtendedWords + text_words;
  return true;
}

void RingMapping::give_back(std::uint32_t chunk) {
  // Taken away while it was in use: its memory goes too.
  if (chunk < allowed() || !punch(chunk)) {
    std::memset(static_cast<void*>(words(chunk)), 0, capture::kChunkBytes);
  }
  chunks_[chunk].words_read = 0;
  chunk_header(chunk).ended.store(0, std::memory_order_relaxed);
  chunk_header(chunk).lease.store(0, std::memory_order_relaxed);
  chunk_header(chunk).state.store(static_cast<std::uint32_t>(ChunkState::kFree),
                                  std::memory_order_release);
}

// What is punched reads as zero. False when the system cannot.
bool RingMapping::punch(std::uint32_t chunk) {
  const auto offset = static_cast<off_t>(capture::kFirstChunkOffset + chunk * capture::kChunkBytes);
  if (::fallocate(memfd_.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, offset,
                  static_cast<off_t>(capture::kChunkBytes)) != 0) {
    return false;
  }
  chunks_[chunk].dirty = false;
  return true;
}

// Taking the chunk first keeps the process from leasing it while its pages go.
bool RingMapping::release_if_free(std::uint32_t chunk) {
  auto expected = static_cast<std::uint32_t>(ChunkState::kFree);
  std::atomic<std::uint32_t>& state = chunk_header(chunk).state;
  if (!state.compare_exchange_strong(expected, static_cast<std::uint32_t>(ChunkState::kSealed),
                                     std::memory_order_seq_cst)) {
    return false;
  }
  punch(chunk);
  state.store(static_cast<std::uint32_t>(ChunkState::kFree), std::memory_order_release);
  return true;
}

void RingMapping::release_idle(std::uint32_t keep_warm) {
  for (std::uint32_t i = 0; i < capture::kChunkCount; ++i) {
    if (!chunks_[i].dirty) continue;
    const auto state = chunk_header(i).state.load(std::memory_order_relaxed);
    if (state != static_cast<std::uint32_t>(ChunkState::kFree)) continue;
    if (keep_warm > 0) {
      --keep_warm;
      continue;
    }
    release_if_free(i);
  }
}

void RingMapping::release_all() {
  for (std::uint32_t i = 0; i < capture::kChunkCount; ++i) punch(i);
}

void RingMapping::allow(std::uint32_t chunks) {
  if (chunks == allowed()) return;
  const std::uint32_t before = std::exchange(control_.chunks, chunks);
  header().control.store(capture::control_word(control_), std::memory_order_seq_cst);
  for (std::uint32_t i = chunks; i < before; ++i) {
    if (chunks_[i].dirty) release_if_free(i);
  }
}

std::uint32_t RingMapping::held_beyond_allowed() const noexcept {
  std::uint32_t held = 0;
  for (std::uint32_t i = allowed(); i < capture::kChunkCount; ++i) {
    const auto state = chunk_header(i).state.load(std::memory_order_seq_cst);
    if (chunks_[i].dirty || state != static_cast<std::uint32_t>(ChunkState::kFree)) ++held;
  }
  return held;
}

}  // namespace latido::agent
