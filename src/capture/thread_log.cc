#include "capture/thread_log.h"

#include <limits.h>
#include <pthread.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "capture/clock_source.h"
#include "capture/errno_kept.h"
#include "capture/thread_exit.h"
#include "capture/word_packer.h"

namespace latido::capture {
namespace {

constexpr std::uint64_t kExtendedWords = 3;
constexpr std::size_t kMaxNameBytes = 2048;
constexpr std::size_t kMaxCategoryBytes = 64;
constexpr std::size_t kMaxFileBytes = 1024;
static_assert(kMaxNameBytes + kMaxCategoryBytes + kMaxFileBytes + 2 <= kMaxTextBytes);

std::uint64_t text_words(std::uint64_t bytes) noexcept { return (bytes + 7) / 8; }

std::uint32_t epoch_of(std::uint64_t tagged_id) noexcept {
  return static_cast<std::uint32_t>(tagged_id >> 32);
}

std::uint64_t kind_word(ExtendedKind kind, std::uint64_t detail) noexcept {
  return detail << 8 | static_cast<std::uint64_t>(kind);
}

// The next id, or 0 when all are given out.
std::uint32_t take_id(RingHeader& header) noexcept {
  std::uint64_t given = header.sites.load(std::memory_order_relaxed);
  while (given < kMaxSites - 1) {
    if (header.sites.compare_exchange_weak(given, given + 1, std::memory_order_relaxed)) {
      return static_cast<std::uint32_t>(given + 1);
    }
  }
  return 0;
}

}  // namespace

constinit thread_local ThreadLog t_log;

LogSection::LogSection(Purpose purpose) noexcept
    : page_(&process()), epoch_(page_->epoch.load(std::memory_order_acquire)) {
  if ((epoch_ == 0 || t_log.epoch != epoch_) && !enter_slowly(purpose)) return;
  const RingHeader& header = RingMemory(page_->ring).header();
  if ((header.control.load(std::memory_order_relaxed) & kControlStop) != 0) {
    stop_recording();
    return;
  }
  t_log.epoch = kBusy;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  entered_ = true;
}

LogSection::~LogSection() {
  if (!entered_) return;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  t_log.epoch = epoch_;
}

// The thread's first use in this process.
bool LogSection::enter_slowly(Purpose purpose) noexcept {
  const ErrnoKept errno_kept;
  if (!is_recording()) {
    if (purpose == Purpose::kRecord) count_undecided_drop();
    return false;
  }
  page_ = &process();
  epoch_ = page_->epoch.load(std::memory_order_acquire);
  if (t_log.epoch == kBusy) {
    count_drop();
    return false;
  }
  // What a fork left in the thread belongs to the parent, except for libc's exit notice.
  const bool exit_armed = t_log.exit_armed;
  t_log = ThreadLog{};
  t_log.exit_armed = exit_armed;
  return true;
}

bool LogSection::begin(const SiteRef& site) noexcept {
  std::uint32_t id = 0;
  if (!find_id(site, id) || !make_room(2)) {
    count_drop();
    return false;
  }
  if (id == kOtherSites) {
    RingMemory(page_->ring).header().other_sites.fetch_add(1, std::memory_order_relaxed);
  }
  commit(1, RecordKind::kBegin, id, read_ticks());
  --t_log.limit;
  return true;
}

bool LogSection::extended(ExtendedKind kind, const SiteRef& site, std::uint64_t detail,
                          std::uint64_t payload) noexcept {
  std::uint32_t id = 0;
  if (!find_id(site, id) || !make_room(kExtendedWords)) {
    count_drop();
    return false;
  }
  t_log.next[1].store(kind_word(kind, detail), std::memory_order_relaxed);
  t_log.next[2].store(payload, std::memory_order_relaxed);
  // An argument comes right after its zone's begin: no need to pay for the clock again.
  commit(kExtendedWords, RecordKind::kExtended, id,
         kind == ExtendedKind::kArg ? t_log.last_ticks : read_ticks());
  return true;
}

bool LogSection::text(const SiteRef& site, const char* text, std::uint32_t length_bytes) noexcept {
  const std::uint32_t length = length_bytes < kMaxTextBytes ? length_bytes : kMaxTextBytes;
  const std::uint64_t words = kExtendedWords + text_words(length);
  std::uint32_t id = 0;
  if (!find_id(site, id) || !make_room(words)) {
    count_drop();
    return false;
  }
  t_log.next[1].store(kind_word(ExtendedKind::kText, length), std::memory_order_relaxed);
  WordPacker packer(t_log.next + kExtendedWords);
  packer.put(text, length);
  packer.finish();
  commit(words, RecordKind::kExtended, id, read_ticks());
  return true;
}

std::uint32_t LogSection::define(const SiteRef& site) noexcept {
  std::uint32_t id = 0;
  return find_id(site, id) ? id : 0;
}

bool LogSection::zone_is_open() const noexcept { return t_log.limit != t_log.unnested_limit; }

void LogSection::count_drop() noexcept {
  RingMemory(page_->ring).header().dropped.fetch_add(1, std::memory_order_relaxed);
}

// False when the kSite record found no room.
bool LogSection::find_id(const SiteRef& site, std::uint32_t& id) noexcept {
  // Acquire: pairs with the release in define_new(), so that a record that uses the id comes after
  // the site's own record also for a reader.
  const std::uint64_t tagged = __atomic_load_n(site.tagged_id, __ATOMIC_ACQUIRE);
  if (epoch_of(tagged) != epoch_) return define_new(site, tagged, id);
  id = static_cast<std::uint32_t>(tagged);
  return true;
}

bool LogSection::define_new(const SiteRef& site, std::uint64_t old_tagged,
                            std::uint32_t& id) noexcept {
  const char* const name = site.name != nullptr ? site.name : "";
  const char* const category = site.category != nullptr ? site.category : "zone";
  const char* const file = site.file != nullptr ? site.file : "";
  const std::size_t name_bytes = strnlen(name, kMaxNameBytes);
  const std::size_t category_bytes = strnlen(category, kMaxCategoryBytes);
  const std::size_t file_bytes = strnlen(file, kMaxFileBytes);
  const std::uint64_t length = name_bytes + 1 + category_bytes + 1 + file_bytes;
  const std::uint64_t words = kExtendedWords + text_words(length);
  if (!make_room(words)) return false;

  // A site beyond the last id is never published: each use comes by here and is counted.
  id = take_id(RingMemory(page_->ring).header());
  if (id == kOtherSites) return true;

  t_log.next[1].store(kind_word(ExtendedKind::kSite, length), std::memory_order_relaxed);
  t_log.next[2].store(site.line, std::memory_order_relaxed);
  WordPacker packer(t_log.next + kExtendedWords);
  packer.put(name, name_bytes);
  packer.put("", 1);
  packer.put(category, category_bytes);
  packer.put("", 1);
  packer.put(file, file_bytes);
  packer.finish();
  commit(words, RecordKind::kExtended, id, read_ticks());

  // Two threads may define one site at the same time: the first one's id is used by both, the other
  // one's is never used. Nobody waits.
  const std::uint64_t tagged = static_cast<std::uint64_t>(epoch_) << 32 | id;
  if (!__atomic_compare_exchange_n(site.tagged_id, &old_tagged, tagged, false, __ATOMIC_ACQ_REL,
                                   __ATOMIC_ACQUIRE) &&
      epoch_of(old_tagged) == epoch_) {
    id = static_cast<std::uint32_t>(old_tagged);
  }
  return true;
}

bool LogSection::make_room(std::uint64_t words) noexcept {
  const auto left = t_log.limit - t_log.next + 1;  // 1 without a chunk, when all are nullptr
  if (t_log.next != nullptr && left >= static_cast<std::ptrdiff_t>(words)) return true;
  const auto open_zones = static_cast<std::uint64_t>(t_log.unnested_limit - t_log.limit);
  return open_zones + words <= kChunkWords && next_chunk(open_zones);
}

bool LogSection::next_chunk(std::uint64_t open_zones) noexcept {
  if (t_log.no_scan_before_ticks != 0 && read_ticks() < t_log.no_scan_before_ticks) return false;
  const ErrnoKept errno_kept;
  const RingMemory ring(page_->ring);
  std::uint32_t index = 0;
  if (!take_chunk(index)) return false;
  if (t_log.number == 0) t_log.number = page_->threads.fetch_add(1, std::memory_order_relaxed) + 1;
  ChunkHeader& chunk = ring.chunk(index);
  chunk.tid = static_cast<std::uint32_t>(syscall(SYS_gettid));
  chunk.thread = t_log.number;
  chunk.base_ticks = read_ticks();
  // In this order: a reader that sees the new lease sees the old chunk sealed and complete.
  if (t_log.next != nullptr) seal_chunk(ring, t_log.chunk, false);
  chunk.lease.store(ring.header().leases.fetch_add(1, std::memory_order_relaxed) + 1,
                    std::memory_order_release);
  t_log.next = ring.words(index);
  t_log.no_scan_before_ticks = 0;
  t_log.unnested_limit = t_log.next + kChunkWords - 1;
  t_log.limit = t_log.unnested_limit - open_zones;
  t_log.chunk = index;
  arm_thread_exit();
  return true;
}

// The lowest free chunk, so that the pages in use stay few and warm. When all are taken it is not
// searched again for about 10 us: dropping has to be cheap at 20 million zones a second.
bool LogSection::take_chunk(std::uint32_t& index) noexcept {
  if (t_log.exit_rounds >= PTHREAD_DESTRUCTOR_ITERATIONS) return false;
  const RingMemory ring(page_->ring);
  const Shared<std::uint32_t>& control = ring.header().control;
  const std::uint32_t allowed = allowed_chunks(control.load(std::memory_order_relaxed));
  for (index = 0; index < allowed; ++index) {
    Shared<std::uint32_t>& state = ring.chunk(index).state;
    auto free = static_cast<std::uint32_t>(ChunkState::kFree);
    // Acquire at least: pairs with the agent's release, its zeroes come before our words.
    if (state.load(std::memory_order_relaxed) == free &&
        state.compare_exchange_strong(free, static_cast<std::uint32_t>(ChunkState::kLeased),
                                      std::memory_order_seq_cst, std::memory_order_relaxed)) {
      const bool still_allowed = index < allowed_chunks(control.load(std::memory_order_seq_cst));
      if (still_allowed && back_with_memory(ring.words(index), kChunkBytes)) return true;
      state.store(static_cast<std::uint32_t>(ChunkState::kFree), std::memory_order_release);
      break;
    }
  }
  t_log.no_scan_before_ticks = read_ticks() + kTicksPer10Us;
  return false;
}

// Publishes the record at `next`: its head last.
void LogSection::commit(std::uint64_t words, RecordKind kind, std::uint32_t id,
                        std::uint64_t ticks) noexcept {
  t_log.next->store(head_word(kind, id, ticks), kPublish);
  t_log.next += words;
  t_log.last_ticks = ticks;
}

}  // namespace latido::capture
