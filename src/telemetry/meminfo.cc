#include "telemetry/meminfo.h"

#include <array>
#include <limits>
#include <utility>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/meminfo";
constexpr std::uint64_t kBytesPerKb = 1024;

}  // namespace

Result<Meminfo> parse_meminfo(std::string_view text) {
  std::optional<std::uint64_t> total;
  std::optional<std::uint64_t> available;
  std::optional<std::uint64_t> swap_total;
  std::optional<std::uint64_t> swap_free;
  const std::array<std::pair<std::string_view, std::optional<std::uint64_t>*>, 4> fields{
      {{"MemTotal", &total},
       {"MemAvailable", &available},
       {"SwapTotal", &swap_total},
       {"SwapFree", &swap_free}}};
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view name = next_field(line, ':');
    for (const auto& [wanted, out] : fields) {
      if (name != wanted) continue;
      const std::string_view word = next_word(line);
      const auto kilobytes = parse_unsigned(word);
      if (!kilobytes || *kilobytes > std::numeric_limits<std::uint64_t>::max() / kBytesPerKb) {
        return bad_field(kFile, name, word);
      }
      *out = *kilobytes * kBytesPerKb;
    }
  }
  if (!total) return missing_field(kFile, "MemTotal");
  Meminfo info{*total, available, std::nullopt};
  // Free can exceed total for a moment while swap is being removed.
  if (swap_total && swap_free) {
    info.swap_used_bytes = *swap_total > *swap_free ? *swap_total - *swap_free : 0;
  }
  return info;
}

}  // namespace latido::telemetry
