// ProcessPage: what a process knows about its recording, in one page that reads as zero in a child.
//
// Zero means "not decided", so a child of fork(), vfork() or of a bare clone() opens its own ring
// at its first event and never writes into its parent's. Any thread, no locks.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/ring_format.h"
#include "latido/latido.h"

namespace latido::capture {

struct ProcessPage {
  std::uint32_t state =
      LATIDO_UNDECIDED;                 // *latido_state; through __atomic builtins, being plain C
  std::atomic<std::uint32_t> epoch{0};  // names this process among its ancestors; 0: no ring
  std::atomic<std::uint32_t> deciding{0};  // 1 from the first event on: only one thread decides
  std::atomic<std::uint32_t> threads{0};   // numbers given to threads so far
  std::atomic<std::uint32_t> steps{0};     // latido_step() calls so far
  // While one thread decides; moved to the ring's header once there is one.
  std::atomic<std::uint32_t> undecided_drops{0};
  std::atomic<void*> ring{nullptr};
};

// Of the calling process. Before its first event a static one, of which all is zero.
extern constinit std::atomic<ProcessPage*> g_process;

inline ProcessPage& process() noexcept { return *g_process.load(std::memory_order_acquire); }

// What a call tests first.
inline bool is_off() noexcept {
  return __atomic_load_n(&process().state, __ATOMIC_RELAXED) == LATIDO_OFF;
}

// True when this process records. At the first event it decides, which may take about 20 ms;
// threads that come meanwhile read false.
bool is_recording() noexcept;

// Another thread is deciding: a record was lost to that. Does nothing when it decides for off.
void count_undecided_drop() noexcept;

// Nothing more is recorded by this process. Open zones can still end.
void stop_recording() noexcept;

// For tests: how the page is wiped where the kernel does not do it.
void wipe_in_child() noexcept;

}  // namespace latido::capture
