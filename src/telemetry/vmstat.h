// Parses the swap counters of /proc/vmstat. Pure: no file access here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since boot, in pages. Both empty when the kernel was built without swap.
struct SwapPages {
  std::optional<std::uint64_t> in;
  std::optional<std::uint64_t> out;

  bool operator==(const SwapPages&) const = default;
};

// Errors: kInvalidInput naming the bad field.
Result<SwapPages> parse_vmstat(std::string_view text);

}  // namespace latido::telemetry
