#include "telemetry/cpu_stat.h"

#include <array>
#include <optional>
#include <utility>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/stat";

// `words` is a cpu line behind its label.
Result<CpuTicks> parse_ticks(std::string_view words) {
  CpuTicks ticks;
  struct Field {
    std::string_view name;
    std::uint64_t* out;
    bool required;  // Linux 2.4 had the first four only
  };
  const std::array<Field, 8> fields{{{"user", &ticks.user, true},
                                     {"nice", &ticks.nice, true},
                                     {"system", &ticks.system, true},
                                     {"idle", &ticks.idle, true},
                                     {"iowait", &ticks.iowait, false},
                                     {"irq", &ticks.irq, false},
                                     {"softirq", &ticks.softirq, false},
                                     {"steal", &ticks.steal, false}}};
  for (const Field& field : fields) {
    const std::string_view word = next_word(words);
    if (word.empty() && !field.required) break;
    const auto value = parse_unsigned(word);
    if (!value) return bad_field(kFile, field.name, word);
    *field.out = *value;
  }
  return ticks;
}

}  // namespace

Result<CpuTicks> parse_cpu_stat(std::string_view text, std::vector<CoreTicks>& cores) {
  cores.clear();
  std::optional<CpuTicks> sum;
  std::string_view line;
  while (next_line(text, line)) {
    const std::string_view label = next_word(line);
    if (!label.starts_with("cpu")) break;  // the cpu lines come first
    auto ticks = parse_ticks(line);
    if (!ticks) return std::move(ticks).error();
    if (label == "cpu") {
      sum = ticks.value();
      continue;
    }
    const auto core = parse_unsigned(label.substr(3));
    if (!core || *core >= kMaxCores) return bad_field(kFile, "core", label);
    cores.push_back({static_cast<std::uint32_t>(*core), ticks.value()});
  }
  if (!sum) return missing_field(kFile, "cpu");
  return *sum;
}

}  // namespace latido::telemetry
