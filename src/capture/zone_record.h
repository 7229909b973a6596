// The hot path of a zone: one word at its begin, one at its end. For api.cc and function_hooks.cc.
//
// While it writes, the thread's place in the ring is marked as busy, so that a signal handler that records
// too finds that out (its record is dropped and counted) instead of writing into the middle of it.
#pragma once

#include <cstdint>

#include "capture/clock_source.h"
#include "capture/thread_log.h"

namespace latido::capture {

// False: nothing was done, LogSection::begin() has to. `tagged_id`: SiteRef::tagged_id. The epoch is 0 in
// a process that has not decided, and another one in each child: neither the thread's place in the ring nor
// the site's id outlives a fork. The begin's time is `log.last_ticks`.
inline bool begin_zone(ThreadLog& log, std::uint32_t epoch, std::uint64_t tagged_id) noexcept {
  if (log.epoch != epoch || tagged_id >> 32 != epoch || log.next >= log.limit) [[unlikely]] {
    return false;
  }
  log.epoch = kBusy;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  log.last_ticks = read_ticks();
  log.next->store(
      head_word(RecordKind::kBegin, static_cast<std::uint32_t>(tagged_id), log.last_ticks),
      kPublish);
  ++log.next;
  --log.limit;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  log.epoch = epoch;
  return true;
}

// Ends the innermost zone. Does nothing when none is open: it was begun by the parent of this process.
inline void end_zone(ThreadLog& log, std::uint32_t epoch, std::uint64_t tagged_id,
                     std::uint64_t ticks) noexcept {
  if (log.epoch != epoch || log.limit == log.unnested_limit) [[unlikely]]
    return;
  log.epoch = kBusy;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  const auto id = tagged_id >> 32 == epoch ? static_cast<std::uint32_t>(tagged_id) : kOtherSites;
  log.next->store(head_word(RecordKind::kEnd, id, ticks), kPublish);
  ++log.next;
  ++log.limit;
  __atomic_signal_fence(__ATOMIC_SEQ_CST);
  log.epoch = epoch;
}

}  // namespace latido::capture
