#include "telemetry/pid_schedstat.h"

#include <optional>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/<pid>/schedstat";
constexpr std::string_view kField = "run_delay";

}  // namespace

// "<time on a core> <time ready without one> <times that it got one>"
Result<PidSchedstat> parse_pid_schedstat(std::string_view text) {
  std::string_view line;
  next_line(text, line);
  next_word(line);
  const std::string_view word = next_word(line);
  if (word.empty()) return missing_field(kFile, kField);
  const std::optional<std::uint64_t> delay = parse_unsigned(word);
  if (!delay) return bad_field(kFile, kField, word);
  return PidSchedstat{*delay};
}

}  // namespace latido::telemetry
