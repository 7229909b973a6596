// Reads of the host's clocks. All in int64 nanoseconds.
//
// Pure modules (analysis, diagnosis) never include this: time comes to them as data.
#pragma once

#include <cstdint>
#include <ctime>

namespace latido {

namespace detail {
inline std::int64_t read_clock_ns(clockid_t id) noexcept {
  timespec now{};
  ::clock_gettime(id, &now);
  return static_cast<std::int64_t>(now.tv_sec) * 1'000'000'000 + now.tv_nsec;
}
}  // namespace detail

// CLOCK_MONOTONIC: the clock of every timestamp in a recording.
inline std::int64_t monotonic_now_ns() noexcept { return detail::read_clock_ns(CLOCK_MONOTONIC); }
// The same, but running on while the machine is suspended: the clock of the kernel's start times.
inline std::int64_t boottime_now_ns() noexcept { return detail::read_clock_ns(CLOCK_BOOTTIME); }
// Since 1970, UTC: only to say when a run began.
inline std::int64_t wall_now_ns() noexcept { return detail::read_clock_ns(CLOCK_REALTIME); }
// CPU time of this process so far, user and system.
inline std::int64_t process_cpu_now_ns() noexcept {
  return detail::read_clock_ns(CLOCK_PROCESS_CPUTIME_ID);
}
// The same of the calling thread.
inline std::int64_t thread_cpu_now_ns() noexcept {
  return detail::read_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

}  // namespace latido
