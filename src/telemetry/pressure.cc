#include "telemetry/pressure.h"

#include <limits>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::uint64_t kNsPerUs = 1000;
constexpr std::string_view kTotal = "total=";

// Worked example: "some avg10=0.00 avg60=0.00 avg300=0.00 total=12345" (µs), behind its first word.
Result<std::uint64_t> parse_total_ns(std::string_view words, std::string_view kind,
                                     std::string_view file) {
  for (std::string_view word = next_word(words); !word.empty(); word = next_word(words)) {
    if (!word.starts_with(kTotal)) continue;
    word.remove_prefix(kTotal.size());
    const auto total_us = parse_unsigned(word);
    if (!total_us || *total_us > std::numeric_limits<std::uint64_t>::max() / kNsPerUs) {
      return bad_field(file, kind, word);
    }
    return *total_us * kNsPerUs;
  }
  return missing_field(file, kind);
}

}  // namespace

Result<Pressure> parse_pressure(std::string_view text, std::string_view file) {
  std::optional<std::uint64_t> some_ns;
  std::optional<std::uint64_t> full_ns;
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view kind = next_word(line);
    const bool is_some = kind == "some";
    if (!is_some && kind != "full") continue;
    auto total_ns = parse_total_ns(line, kind, file);
    if (!total_ns) return std::move(total_ns).error();
    (is_some ? some_ns : full_ns) = total_ns.value();
  }
  if (!some_ns) return missing_field(file, "some");
  return Pressure{*some_ns, full_ns};
}

}  // namespace latido::telemetry
