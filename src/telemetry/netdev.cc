#include "telemetry/netdev.h"

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/net/dev";

// Worked example: "  eth0: 62986 14 0 0 0 0 0 0 1027 9 …": eight received columns, then the sent
// ones, both starting with bytes. Old kernels leave no blank behind the colon.
Result<InterfaceCounters> parse_interface(std::string_view line) {
  const std::size_t colon = line.rfind(':');
  if (colon == std::string_view::npos) return missing_field(kFile, "interface");
  InterfaceCounters counters;
  counters.name = trimmed(line.substr(0, colon));
  if (counters.name.empty()) return missing_field(kFile, "interface");
  line.remove_prefix(colon + 1);

  const std::string_view received = next_word(line);
  const auto received_bytes = parse_unsigned(received);
  if (!received_bytes) return bad_field(kFile, "received bytes", received);
  for (int column = 1; column < 8; ++column) next_word(line);
  const std::string_view sent = next_word(line);
  const auto sent_bytes = parse_unsigned(sent);
  if (!sent_bytes) return bad_field(kFile, "sent bytes", sent);

  counters.received_bytes = *received_bytes;
  counters.sent_bytes = *sent_bytes;
  return counters;
}

}  // namespace

Status parse_netdev(std::string_view text, std::vector<InterfaceCounters>& interfaces) {
  interfaces.clear();
  std::string_view line;
  while (next_line(text, line)) {
    const bool is_heading = line.find('|') != std::string_view::npos;
    if (is_heading || trimmed(line).empty()) continue;
    auto counters = parse_interface(line);
    if (!counters) return std::move(counters).error();
    interfaces.push_back(counters.value());
  }
  return ok();
}

}  // namespace latido::telemetry
