#include "telemetry/core_list.h"

#include <bitset>

#include "telemetry/cpu_stat.h"
#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

using CoreSet = std::bitset<kMaxCores>;

std::optional<CoreSet> parse_core_list(std::string_view list) {
  CoreSet cores;
  list = trimmed(list);
  while (!list.empty()) {
    std::string_view range = next_field(list, ',');
    const auto first = parse_unsigned(next_field(range, '-'));
    const auto last = range.empty() ? first : parse_unsigned(range);
    if (!first || !last || *first > *last || *last >= kMaxCores) return std::nullopt;
    for (std::uint64_t core = *first; core <= *last; ++core) cores.set(core);
  }
  return cores;
}

}  // namespace

std::optional<std::uint32_t> count_common_cores(std::string_view list, std::string_view other) {
  const auto cores = parse_core_list(list);
  const auto others = parse_core_list(other);
  if (!cores || !others) return std::nullopt;
  return static_cast<std::uint32_t>((*cores & *others).count());
}

}  // namespace latido::telemetry
