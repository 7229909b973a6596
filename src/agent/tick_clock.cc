#include "agent/tick_clock.h"

#include <ctime>

#include "base/clock.h"

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

namespace latido::agent {
namespace {

constexpr std::int64_t kShortestSpan_ns = 1'000'000;

std::uint64_t read_ticks([[maybe_unused]] capture::ClockKind clock) noexcept {
#if defined(__x86_64__)
  if (clock == capture::ClockKind::kTsc) return __rdtsc();
#elif defined(__aarch64__)
  if (clock == capture::ClockKind::kCntvct) {
    std::uint64_t ticks = 0;
    asm volatile("mrs %0, cntvct_el0" : "=r"(ticks));
    return ticks;
  }
#endif
  return static_cast<std::uint64_t>(monotonic_now_ns());
}

double ns_per_tick(const Anchor& from, const Anchor& to) noexcept {
  const double ticks = static_cast<double>(to.ticks - from.ticks);
  return ticks > 0 ? static_cast<double>(to.ns - from.ns) / ticks : 1.0;
}

}  // namespace

Anchor read_anchor(capture::ClockKind clock) noexcept {
  const std::uint64_t before = read_ticks(clock);
  const std::int64_t ns = monotonic_now_ns();
  const std::uint64_t after = read_ticks(clock);
  return {before + (after - before) / 2, ns};
}

TickClock TickClock::start(capture::ClockKind clock) {
  const Anchor first = read_anchor(clock);
  const timespec pause{.tv_sec = 0, .tv_nsec = 2 * kShortestSpan_ns};
  ::nanosleep(&pause, nullptr);
  return {first, read_anchor(clock)};
}

void TickClock::add(Anchor anchor) noexcept {
  if (anchor.ticks <= current_.ticks || anchor.ns - current_.ns < kShortestSpan_ns) return;
  previous_ = current_;
  current_ = anchor;
}

std::uint64_t TickClock::unwrap(std::uint64_t ticks) const noexcept {
  constexpr std::uint64_t kHalf = 1ULL << (capture::kTickBits - 1);
  const std::uint64_t ahead = (ticks - current_.ticks) & capture::kTickMask;
  return ahead < kHalf ? current_.ticks + ahead : current_.ticks - (capture::kTickMask + 1 - ahead);
}

std::int64_t TickClock::to_ns(std::uint64_t whole_ticks) const noexcept {
  // Signed distance from the current anchor keeps the doubles small, so that nothing is rounded.
  const auto distance = static_cast<std::int64_t>(whole_ticks - current_.ticks);
  return current_.ns + static_cast<std::int64_t>(static_cast<double>(distance) *
                                                 ns_per_tick(previous_, current_));
}

}  // namespace latido::agent
