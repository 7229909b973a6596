#include "agent/process_facts.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/clock.h"
#include "base/redact.h"
#include "base/unique_fd.h"
#include "telemetry/clock_ticks.h"
#include "telemetry/pid_stat.h"
#include "telemetry/text_scan.h"

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

// The kernel counts a process's start on CLOCK_BOOTTIME, which runs on in a suspend.
std::int64_t boottime_to_monotonic_ns(std::int64_t boottime_ns) {
  return boottime_ns - (boottime_now_ns() - monotonic_now_ns());
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
  const std::string text = read_file(folder + "/stat");
  if (const auto stat = telemetry::parse_pid_stat(text)) {
    facts.parent_pid = stat.value().parent_pid;
    facts.start_ticks = stat.value().start_ticks;
  }
  facts.start_ns = boottime_to_monotonic_ns(
      static_cast<std::int64_t>(facts.start_ticks * telemetry::ns_per_tick()));
  facts.command = join_command(split_at_nul(read_file(folder + "/cmdline")));
  facts.rank = rank_from_environment(split_at_nul(read_file(folder + "/environ")));
  return facts;
}

std::optional<std::int32_t> rank_from_environment(const std::vector<std::string>& environment) {
  for (const std::string_view name :
       {"RANK=", "SLURM_PROCID=", "OMPI_COMM_WORLD_RANK=", "JOB_COMPLETION_INDEX="}) {
    for (const std::string& entry : environment) {
      if (!entry.starts_with(name)) continue;
      const auto rank = telemetry::parse_unsigned(std::string_view(entry).substr(name.size()));
      if (rank && *rank <= INT32_MAX) return static_cast<std::int32_t>(*rank);
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
