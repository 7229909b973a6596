// Parses the "cpu" lines of /proc/stat. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since boot, in clock ticks (normally 1/100 s). What an old kernel lacks is 0. Guests
// are already inside user and nice.
struct CpuTicks {
  std::uint64_t user = 0;
  std::uint64_t nice = 0;
  std::uint64_t system = 0;
  std::uint64_t idle = 0;
  std::uint64_t iowait = 0;
  std::uint64_t irq = 0;
  std::uint64_t softirq = 0;
  std::uint64_t steal = 0;

  std::uint64_t user_code() const noexcept { return user + nice; }
  std::uint64_t kernel_code() const noexcept { return system + irq + softirq; }
  bool operator==(const CpuTicks&) const = default;
};

struct CoreTicks {
  std::uint32_t core = 0;  // numbers have gaps where cores are offline
  CpuTicks ticks;

  bool operator==(const CoreTicks&) const = default;
};

// The most cores a kernel can be built for; a larger number is not a kernel's file.
inline constexpr std::uint32_t kMaxCores = 8192;

// `text` is /proc/stat. Returns the sum over all cores; `cores` is cleared and filled in file
// order. Everything after the cpu lines is ignored. Errors: kInvalidInput naming the bad field.
Result<CpuTicks> parse_cpu_stat(std::string_view text, std::vector<CoreTicks>& cores);

}  // namespace latido::telemetry
