#include "telemetry/pid_io.h"

#include <array>
#include <optional>
#include <utility>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/<pid>/io";

}  // namespace

Result<PidIo> parse_pid_io(std::string_view text) {
  std::optional<std::uint64_t> read_chars;
  std::optional<std::uint64_t> read;
  std::optional<std::uint64_t> write;
  const std::array<std::pair<std::string_view, std::optional<std::uint64_t>*>, 3> fields{
      {{"rchar", &read_chars}, {"read_bytes", &read}, {"write_bytes", &write}}};
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view name = next_field(line, ':');
    for (const auto& [wanted, out] : fields) {
      if (name != wanted) continue;
      const std::string_view word = next_word(line);
      *out = parse_unsigned(word);
      if (!*out) return bad_field(kFile, name, word);
    }
  }
  for (const auto& [wanted, out] : fields) {
    if (!*out) return missing_field(kFile, wanted);
  }
  return PidIo{*read_chars, *read, *write};
}

}  // namespace latido::telemetry
