// Parses /proc/meminfo. Pure: no file access here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

struct Meminfo {
  std::uint64_t total_bytes = 0;
  std::optional<std::uint64_t> available_bytes;  // empty before Linux 3.14
  std::optional<std::uint64_t> swap_used_bytes;  // empty when built without swap

  bool operator==(const Meminfo&) const = default;
};

// Errors: kInvalidInput naming the field that is missing or bad. MemTotal is required.
Result<Meminfo> parse_meminfo(std::string_view text);

}  // namespace latido::telemetry
