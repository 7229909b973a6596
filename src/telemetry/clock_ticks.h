// Clock ticks, the kernel's unit for CPU time, as nanoseconds.
#pragma once

#include <unistd.h>

#include <cstdint>

namespace latido::telemetry {

// 10 ms almost everywhere; the same for the whole system, so asked for once.
inline std::uint64_t ns_per_tick() noexcept {
  static const std::uint64_t ns = [] {
    const long per_second = ::sysconf(_SC_CLK_TCK);
    return std::uint64_t{1'000'000'000} /
           static_cast<std::uint64_t>(per_second > 0 ? per_second : 100);
  }();
  return ns;
}

}  // namespace latido::telemetry
