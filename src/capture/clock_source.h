// The recorder's clock, chosen at compile time and named in the ring's header. Called for each
// record.
#pragma once

#include <time.h>

#include <cstdint>

#include "capture/ring_format.h"

namespace latido::capture {

#if defined(__x86_64__)

inline constexpr ClockKind kClock = ClockKind::kTsc;
inline constexpr std::uint64_t kTicksPer10Us = 1U << 15;  // by order of magnitude

inline std::uint64_t read_ticks() noexcept { return __builtin_ia32_rdtsc(); }

#elif defined(__aarch64__)

inline constexpr ClockKind kClock = ClockKind::kCntvct;
inline constexpr std::uint64_t kTicksPer10Us = 1U << 8;

inline std::uint64_t read_ticks() noexcept {
  std::uint64_t ticks = 0;
  asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
  return ticks;
}

#else

inline constexpr ClockKind kClock = ClockKind::kMonotonicNs;
inline constexpr std::uint64_t kTicksPer10Us = 1U << 13;

inline std::uint64_t read_ticks() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

#endif

}  // namespace latido::capture
