// Parses /proc/<pid>/stat. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Of a whole process, threads summed by the kernel. Ticks are clock ticks (normally 1/100 s).
struct PidStat {
  std::int32_t pid = 0;
  std::string_view name;  // points into the parsed text; any bytes, blanks and brackets too
  char state = '?';
  std::int32_t parent_pid = 0;
  std::uint64_t minor_faults = 0;
  std::uint64_t major_faults = 0;
  std::uint64_t user_ticks = 0;
  std::uint64_t system_ticks = 0;
  std::uint64_t threads = 0;
  std::uint64_t start_ticks = 0;  // since boot: with the pid it names the process for good
  std::uint64_t rss_pages = 0;
  // Where the arguments lie in its memory: another value after an exec. 0 without permission.
  std::uint64_t argument_address = 0;

  // It has ended and waits for its parent to ask: counters stand, memory is gone.
  bool has_ended() const noexcept { return state == 'Z' || state == 'X' || state == 'x'; }
  bool operator==(const PidStat&) const = default;
};

// Errors: kInvalidInput naming the bad field.
Result<PidStat> parse_pid_stat(std::string_view text);

}  // namespace latido::telemetry
