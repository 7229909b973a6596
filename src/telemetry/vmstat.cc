#include "telemetry/vmstat.h"

#include "telemetry/text_scan.h"

namespace latido::telemetry {

Result<SwapPages> parse_vmstat(std::string_view text) {
  SwapPages pages;
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view name = next_word(line);
    const bool is_in = name == "pswpin";
    if (!is_in && name != "pswpout") continue;
    const std::string_view word = next_word(line);
    const auto value = parse_unsigned(word);
    if (!value) return bad_field("/proc/vmstat", name, word);
    (is_in ? pages.in : pages.out) = *value;
    if (pages.in && pages.out) break;  // a hundred lines follow
  }
  return pages;
}

}  // namespace latido::telemetry
