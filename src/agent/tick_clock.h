// TickClock: turns the ticks of a ring (44 bits of TSC, CNTVCT or nanoseconds) into CLOCK_MONOTONIC.
//
// The agent takes an anchor (ticks, ns) at the start of each drain. Records drained then lie between
// the last two anchors or before, and are placed on the straight line through them: no frequency is
// assumed, so a wrong "nominal" TSC rate cannot stretch a recording.
//
// Called from the agent's thread only.
#pragma once

#include <cstdint>

#include "capture/ring_format.h"

namespace latido::agent {

struct Anchor {
  std::uint64_t ticks = 0;
  std::int64_t ns = 0;
};

// Reads this machine's clocks now. The tick is the mean of reads before and after the nanosecond, so
// that the pair is off by at most half of one clock_gettime.
Anchor read_anchor(capture::ClockKind clock) noexcept;

// The counter that recorders on this machine read.
constexpr capture::ClockKind native_clock() noexcept {
#if defined(__x86_64__)
  return capture::ClockKind::kTsc;
#elif defined(__aarch64__)
  return capture::ClockKind::kCntvct;
#else
  return capture::ClockKind::kMonotonicNs;
#endif
}

class TickClock {
 public:
  // Takes the first two anchors, 2 ms apart: sleeps in between.
  static TickClock start(capture::ClockKind clock);

  // The first two anchors; `second` must be later.
  TickClock(Anchor first, Anchor second) noexcept : previous_(first), current_(second) {}

  // Adds an anchor. One closer than 1 ms to the last one is left out: its rate would be noise.
  void add(Anchor anchor) noexcept;

  // The whole tick count nearest to the current anchor whose low 44 bits are `ticks`. Nearest and not
  // "latest before", because a thread goes on recording while the agent drains.
  std::uint64_t unwrap(std::uint64_t ticks) const noexcept;

  // CLOCK_MONOTONIC of a whole tick count.
  std::int64_t to_ns(std::uint64_t whole_ticks) const noexcept;

 private:
  Anchor previous_;
  Anchor current_;
};

}  // namespace latido::agent
