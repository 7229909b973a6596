// Parses /proc/<pid>/io. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since the process started, all threads.
struct PidIo {
  std::uint64_t read_chars_bytes = 0;  // returned by read() and its kin, page cache included
  std::uint64_t read_bytes = 0;        // fetched from a device
  std::uint64_t write_bytes = 0;       // sent, or to be sent, to a device

  bool operator==(const PidIo&) const = default;
};

// Errors: kInvalidInput naming the field that is missing or bad.
Result<PidIo> parse_pid_io(std::string_view text);

}  // namespace latido::telemetry
