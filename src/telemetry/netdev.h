// Parses /proc/net/dev. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since the interface came up.
struct InterfaceCounters {
  std::string_view name;  // points into the parsed text
  std::uint64_t received_bytes = 0;
  std::uint64_t sent_bytes = 0;

  bool operator==(const InterfaceCounters&) const = default;
};

// `interfaces` is cleared and filled in file order, "lo" included.
// Errors: kInvalidInput naming the bad field.
Status parse_netdev(std::string_view text, std::vector<InterfaceCounters>& interfaces);

}  // namespace latido::telemetry
