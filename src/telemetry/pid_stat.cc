#include "telemetry/pid_stat.h"

#include <array>
#include <limits>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kFile = "/proc/<pid>/stat";

// Process ids are positive, parents may be 0 (outside the namespace) and nothing exceeds 2^22.
bool parse_pid(std::string_view word, std::int32_t& pid) noexcept {
  const auto value = parse_unsigned(word);
  if (!value || *value > static_cast<std::uint64_t>(std::numeric_limits<std::int32_t>::max())) {
    return false;
  }
  pid = static_cast<std::int32_t>(*value);
  return true;
}

struct Field {
  int number;  // as proc(5) counts: pid is 1, state is 3
  std::string_view name;
  std::uint64_t* out;
};

// `words` starts behind field 4.
Status parse_numbers(std::string_view words, PidStat& stat) {
  const std::array<Field, 8> fields{{{10, "minflt", &stat.minor_faults},
                                     {12, "majflt", &stat.major_faults},
                                     {14, "utime", &stat.user_ticks},
                                     {15, "stime", &stat.system_ticks},
                                     {20, "num_threads", &stat.threads},
                                     {22, "starttime", &stat.start_ticks},
                                     {24, "rss", &stat.rss_pages},
                                     {48, "arg_start", &stat.argument_address}}};
  int number = 4;
  for (const Field& field : fields) {
    std::string_view word;
    for (; number < field.number; ++number) word = next_word(words);
    // Linux 3.5 and older end before the addresses.
    if (word.empty() && field.number == 48) break;
    const auto value = parse_unsigned(word);
    if (!value) return bad_field(kFile, field.name, word);
    *field.out = *value;
  }
  return ok();
}

}  // namespace

// Worked example: "12 (a) b) S 1 …": the name is what stands between the first "(" and the last
// ")", since a program may call itself anything; nothing behind it can hold a bracket.
Result<PidStat> parse_pid_stat(std::string_view text) {
  text = trimmed(text);
  const std::size_t open = text.find('(');
  const std::size_t close = text.rfind(')');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) {
    return missing_field(kFile, "comm");
  }
  PidStat stat;
  const std::string_view pid = trimmed(text.substr(0, open));
  if (!parse_pid(pid, stat.pid)) return bad_field(kFile, "pid", pid);
  stat.name = text.substr(open + 1, close - open - 1);

  std::string_view words = text.substr(close + 1);
  const std::string_view state = next_word(words);
  if (state.size() != 1) return missing_field(kFile, "state");
  stat.state = state.front();
  const std::string_view parent = next_word(words);
  if (!parse_pid(parent, stat.parent_pid)) return bad_field(kFile, "ppid", parent);
  auto status = parse_numbers(words, stat);
  if (!status) return std::move(status).error();
  return stat;
}

}  // namespace latido::telemetry
