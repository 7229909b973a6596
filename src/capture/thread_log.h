// ThreadLog: the calling thread's place in the ring, and everything that is not the hot path of a
// zone.
//
// begin and end (api.cc) write through it directly. All else goes through a LogSection, which
// leases chunks, defines sites and appends records of several words. No locks; no allocation but
// libc's own for the thread's exit notice.
#pragma once

#include <cstdint>

#include "capture/process_page.h"
#include "capture/ring_memory.h"

namespace latido::capture {

// A chunk of n words with d open zones: [written … next) [free … limit] [d words kept for their
// ends). So limit = end - 1 - d. A zone needs next < limit: a word for itself and one more for its
// end.
struct ThreadLog {
  Word* next = nullptr;
  Word* limit = nullptr;
  Word* unnested_limit = nullptr;  // limit when no zone is open
  std::uint64_t last_ticks = 0;    // of the last record: an argument has no time of its own
  std::uint32_t epoch = 0;   // ProcessPage::epoch for which this is valid; kBusy in a LogSection
  std::uint32_t chunk = 0;   // meaningful while next != nullptr
  std::uint32_t number = 0;  // ChunkHeader::thread; 0: none yet
  std::uint32_t exit_rounds = 0;  // how often the thread's exit has sealed
  bool exit_armed = false;
  std::uint64_t no_scan_before_ticks = 0;  // all chunks were taken a moment ago
};

inline constexpr std::uint32_t kBusy = 0xFFFFFFFF;

// In static TLS (-ftls-model=initial-exec): one instruction to reach it, no allocation at first
// use.
extern constinit thread_local ThreadLog t_log;

// What a kSite record says, and where its id is kept: epoch << 32 | id. An id of another epoch is
// that of an ancestor process and counts as none.
struct SiteRef {
  const char* name;
  const char* category;
  const char* file;
  std::uint32_t line;
  std::uint64_t* tagged_id;
};

inline SiteRef site_ref(latido_site& site) noexcept {
  return {site.name, site.category, site.file, site.line, &site.id};
}

class LogSection {
 public:
  enum class Purpose : std::uint8_t { kRecord, kDefine };

  // Decides at the process's first event. What other threads would record meanwhile is counted as
  // dropped.
  explicit LogSection(Purpose purpose = Purpose::kRecord) noexcept;
  ~LogSection();
  LogSection(const LogSection&) = delete;
  LogSection& operator=(const LogSection&) = delete;

  // False: off, not decided yet, or this call interrupted another one on the same thread (a signal
  // handler's; counted).
  explicit operator bool() const noexcept { return entered_; }

  // Each records one thing, or counts it as dropped and returns false.
  bool begin(const SiteRef& site) noexcept;
  bool extended(ExtendedKind kind, const SiteRef& site, std::uint64_t detail,
                std::uint64_t payload) noexcept;
  bool text(const SiteRef& site, const char* text, std::uint32_t length_bytes) noexcept;
  // The id; 0 when there is none.
  std::uint32_t define(const SiteRef& site) noexcept;

  bool zone_is_open() const noexcept;
  void count_drop() noexcept;

 private:
  bool find_id(const SiteRef& site, std::uint32_t& id) noexcept;
  bool enter_slowly(Purpose purpose) noexcept;
  bool define_new(const SiteRef& site, std::uint64_t old_tagged, std::uint32_t& id) noexcept;
  bool make_room(std::uint64_t words) noexcept;
  bool next_chunk(std::uint64_t open_zones) noexcept;
  bool take_chunk(std::uint32_t& index) noexcept;
  void commit(std::uint64_t words, RecordKind kind, std::uint32_t id, std::uint64_t ticks) noexcept;

  ProcessPage* page_ = nullptr;
  std::uint32_t epoch_ = 0;
  bool entered_ = false;
};

}  // namespace latido::capture
