#include "telemetry/pid_status.h"

#include <array>
#include <limits>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/<pid>/status";

}  // namespace
Result<PidStatus> parse_pid_status(std::string_view text) {
  std::optional<std::uint64_t> swap_bytes;
  std::optional<std::uint64_t> peak_rss_bytes;
  std::optional<std::uint64_t> voluntary;
  std::optional<std::uint64_t> involuntary;
  struct Field {
    std::string_view name;
    std::optional<std::uint64_t>* out;
    std::uint64_t unit;
  };
  const std::array<Field, 4> fields{{{"VmSwap", &swap_bytes, 1024},
                                     {"VmHWM", &peak_rss_bytes, 1024},
                                     {"voluntary_ctxt_switches", &voluntary, 1},
                                     {"nonvoluntary_ctxt_switches", &involuntary, 1}}};
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view name = next_field(line, ':');
    for (const Field& field : fields) {
      if (name != field.name) continue;
      const std::string_view word = next_word(line);
      const auto value = parse_unsigned(word);
      if (!value || *value > std::numeric_limits<std::uint64_t>::max() / field.unit) {
        return bad_field(kFile, name, word);
      }
      *field.out = *value * field.unit;
    }
  }
  if (!voluntary) return missing_field(kFile, fields[2].name);
  if (!involuntary) return missing_field(kFile, fields[3].name);
  return PidStatus{swap_bytes, peak_rss_bytes, *voluntary, *involuntary};
}

std::string_view find_allowed_cores(std::string_view status_text) noexcept {
  std::string_view line;
  while (next_line(status_text, line)) {
    if (next_field(line, ':') == "Cpus_allowed_list") return trimmed(line);
  }
  return {};
}

}  // namespace latido::telemetry
