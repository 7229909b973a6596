// Parses one file of /proc/pressure (PSI). Pure: no file access here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since boot. The kernel's own averages are left alone: a rate over any window comes
// from the totals.
struct Pressure {
  std::uint64_t some_ns = 0;  // at least one task was held up
  std::optional<std::uint64_t>
      full_ns;  // all tasks that had work were; /proc/pressure/cpu may lack it

  bool operator==(const Pressure&) const = default;
};

// `file` names the source in messages. Errors: kInvalidInput naming the bad field.
Result<Pressure> parse_pressure(std::string_view text, std::string_view file);

}  // namespace latido::telemetry
