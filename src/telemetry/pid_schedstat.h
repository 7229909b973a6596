// Parses /proc/<pid>/schedstat, which is of the main thread alone. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since the thread started.
struct PidSchedstat {
  std::uint64_t run_delay_ns = 0;  // ready to run, and no core to run on

  bool operator==(const PidSchedstat&) const = default;
};

// Errors: kInvalidInput naming the field that is missing or bad.
Result<PidSchedstat> parse_pid_schedstat(std::string_view text);

}  // namespace latido::telemetry
