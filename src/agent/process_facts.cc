#include "agent/process_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <ctime>
#include <string_view>

#include "base/clock.h"
#include "base/redact.h"
#include "base/unique_fd.h"

namespace latido::agent {
namespace {

constexpr std::size_t kMaxFileBytes = 1U << 20U;
constexpr std::size_t kMaxCommandBytes = 4096;

// The file's content, "" when it cannot be read.
std::string read_file(const std::string& path) {
  const UniqueFd fd(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  std::string content;
  std::array<char, 4096> buffer{};
  while (fd && content.size() < kMaxFileBytes) {
    const ssize_t size = ::read(fd.get(), buffer.data(), buffer.size());
    if (size <= 0) break;
    content.append(buffer.data(), static_cast<std::size_t>(size));
  }
  return content;
}

std::vector<std::string> split_at_nul(std::string_view text) {
  std::vector<std::string> parts;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    parts.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

// Field `number` (from 1, as in proc(5)) of /proc/PID/stat, counted after the name, which may hold
// blanks and brackets. Only for fields from 3 on.
std::string_view stat_field(std::string_view stat, int number) {
  std::string_view rest = stat.substr(std::min(stat.rfind(')') + 2, stat.size()));
  for (int i = 3; i < number; ++i) {
    rest.remove_prefix(std::min(rest.find(' ') + 1, rest.size()));
  }
  return rest.substr(0, rest.find(' '));
}

template <typename Number>
std::optional<Number> parse(std::string_view text) {
  Number value{};
  const auto [end, errc] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (errc != std::errc{} || end != text.data() + text.size() || text.empty()) return std::nullopt;
  return value;
}

// The kernel counts a process's start on CLOCK_BOOTTIME, which runs on in a suspend.
std::int64_t boottime_to_monotonic_ns(std::int64_t boottime_ns) {
  timespec boottime{};
  ::clock_gettime(CLOCK_BOOTTIME, &boottime);
  const std::int64_t now_ns =
      static_cast<std::int64_t>(boottime.tv_sec) * 1'000'000'000 + boottime.tv_nsec;
  return boottime_ns - (now_ns - monotonic_now_ns());
}

std::string join_command(const std::vector<std::string>& arguments) {
  std::string command;
  for (const std::string& argument : redact_arguments(arguments)) {
    if (!command.empty()) command += ' ';
    command += argument;
    if (command.size() > kMaxCommandBytes) return command.substr(0, kMaxCommandBytes);
  }
  return command;
}

}  // namespace

ProcessFacts read_process_facts(pid_t pid) {
  const std::string folder = "/proc/" + std::to_string(pid);
  ProcessFacts facts;
  const std::string stat = read_file(folder + "/stat");
  facts.parent_pid = parse<pid_t>(stat_field(stat, 4)).value_or(0);
  facts.start_ticks = parse<std::uint64_t>(stat_field(stat, 22)).value_or(0);
  const std::int64_t tick_ns = 1'000'000'000 / ::sysconf(_SC_CLK_TCK);
  facts.start_ns = boottime_to_monotonic_ns(static_cast<std::int64_t>(facts.start_ticks) * tick_ns);
  facts.command = join_command(split_at_nul(read_file(folder + "/cmdline")));
  facts.rank = rank_from_environment(split_at_nul(read_file(folder + "/environ")));
  return facts;
}

std::optional<std::int32_t> rank_from_environment(const std::vector<std::string>& environment) {
  for (const std::string_view name :
       {"RANK=", "SLURM_PROCID=", "OMPI_COMM_WORLD_RANK=", "JOB_COMPLETION_INDEX="}) {
    for (const std::string& entry : environment) {
      if (!entry.starts_with(name)) continue;
      const auto rank = parse<std::int32_t>(std::string_view(entry).substr(name.size()));
      if (rank && *rank >= 0) return rank;
    }
  }
  return std::nullopt;
}

std::string read_thread_name(pid_t pid, std::int32_t tid) {
  std::string name =
      read_file("/proc/" + std::to_string(pid) + "/task/" + std::to_string(tid) + "/comm");
  if (!name.empty() && name.back() == '\n') name.pop_back();
  return name;
}

}  // namespace latido::agent
