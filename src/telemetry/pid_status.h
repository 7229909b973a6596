// Parses what only /proc/<pid>/status has. Pure: no file access here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

struct PidStatus {
  std::optional<std::uint64_t> swap_bytes;      // empty for kernel threads and for what has ended
  std::optional<std::uint64_t> peak_rss_bytes;  // the same
  // Of the main thread: the kernel keeps no sum over threads. Cumulative.
  std::uint64_t voluntary_switches = 0;
  std::uint64_t involuntary_switches = 0;

  bool operator==(const PidStatus&) const = default;
};

// Errors: kInvalidInput naming the field that is missing or bad.
Result<PidStatus> parse_pid_status(std::string_view text);

// The value of "Cpus_allowed_list:"; "" when the kernel does not say.
std::string_view find_allowed_cores(std::string_view status_text) noexcept;

}  // namespace latido::telemetry
