// Reads lists of core numbers as the kernel writes them: "0-3,8,10-11". Pure: no file access here.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace latido::telemetry {

// Number of cores in a kernel list such as "0-3,8,10-11" that lie in `other` too, which is a list
// of the same form. Empty when one of them is none, or names more cores than a kernel can have.
std::optional<std::uint32_t> count_common_cores(std::string_view list, std::string_view other);

}  // namespace latido::telemetry
