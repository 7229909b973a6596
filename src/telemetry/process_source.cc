#include "telemetry/process_source.h"

#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <utility>

#include "telemetry/clock_ticks.h"
#include "telemetry/pid_io.h"
#include "telemetry/pid_schedstat.h"
#include "telemetry/pid_status.h"

namespace latido::telemetry {
namespace {

// Each process holds four descriptors; many processes must not use up the agent's (often 1,024).
constexpr std::size_t kHeldProcesses = 64;

double page_bytes() noexcept {
  static const auto bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

double to_ns(std::uint64_t ticks) noexcept {
  return static_cast<double>(ticks) * static_cast<double>(ns_per_tick());
}

std::string folder_of(std::int32_t pid) { return "/proc/" + std::to_string(pid); }

}  // namespace

ProcessSource::Slots::Slots(model::ProcessId id)
    : user("proc.cpu.user_ns", id),
      system("proc.cpu.system_ns", id),
      minor_faults("proc.faults.minor", id),
      major_faults("proc.faults.major", id),
      rss("proc.memory.rss_bytes", id),
      threads("proc.threads", id),
      read("proc.io.read_bytes", id),
      read_chars("proc.io.read_chars_bytes", id),
      write("proc.io.write_bytes", id),
      swap("proc.memory.swap_bytes", id),
      peak_rss("proc.memory.peak_rss_bytes", id),
      voluntary("proc.ctx.voluntary", id),
      involuntary("proc.ctx.involuntary", id),
      run_delay("proc.cpu.run_delay_ns", id) {}

ProcessSource::ProcessSource(std::string root) : root_(std::move(root)) {}

Status ProcessSource::add(std::int32_t pid, model::ProcessId id,
                          std::optional<std::uint64_t> start_ticks) {
  const std::string folder = folder_of(pid);
  const Reading reading = root_.read(folder + "/stat", buffer_);
  if (!reading.ok()) {
    // ESRCH: it ended between open and read.
    return errno_error(reading.error_number == ESRCH ? ENOENT : reading.error_number, folder);
  }
  auto stat = parse_pid_stat(reading.text);
  if (!stat) return std::move(stat).error().with_context(folder);
  if (start_ticks && *start_ticks != stat.value().start_ticks) {
    return Error{ErrorCode::kNotFound, folder + ": the process has ended, another has its pid"};
  }
  remove(pid);
  entries_.push_back(
      {pid, stat.value().start_ticks,
       SeriesFile{root_.path(folder + "/stat"),
                  {"proc.cpu.system_ns", "proc.cpu.user_ns", "proc.faults.major",
                   "proc.faults.minor", "proc.memory.rss_bytes", "proc.threads"}},
       SeriesFile{root_.path(folder + "/io"),
                  {"proc.io.read_bytes", "proc.io.read_chars_bytes", "proc.io.write_bytes"}},
       SeriesFile{root_.path(folder + "/status"),
                  {"proc.ctx.involuntary", "proc.ctx.voluntary", "proc.memory.peak_rss_bytes",
                   "proc.memory.swap_bytes"}},
       SeriesFile{root_.path(folder + "/schedstat"), {"proc.cpu.run_delay_ns"}}, Slots{id}});
  return ok();
}

void ProcessSource::remove(std::int32_t pid) {
  std::erase_if(entries_, [pid](const Entry& entry) { return entry.pid == pid; });
}

void ProcessSource::sample(std::int64_t now_ns, model::SeriesTable& series,
                           std::vector<model::Sample>& out) {
  SampleSink sink{now_ns, series, out};
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!sample_entry(entries_[i], sink)) continue;
    if (kept >= kHeldProcesses) let_go(entries_[i]);
    if (kept != i) entries_[kept] = std::move(entries_[i]);
    ++kept;
  }
  entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(kept), entries_.end());
}

void ProcessSource::let_go(Entry& entry) noexcept {
  entry.stat.let_go();
  entry.io.let_go();
  entry.status.let_go();
  entry.schedstat.let_go();
}

bool ProcessSource::sample_entry(Entry& entry, SampleSink& sink) {
  const auto text = entry.stat.read(buffer_);
  if (!text) return !entry.stat.is_gone();
  const auto parsed = parse_pid_stat(*text);
  if (!parsed.has_value()) {
    entry.stat.reject(parsed.error());
    return true;
  }
  const PidStat& stat = parsed.value();
  if (stat.start_ticks != entry.start_ticks) return false;
  sample_stat(entry, stat, sink);
  if (stat.has_ended()) return true;
  sample_io(entry, sink);
  sample_status(entry, sink);
  sample_schedstat(entry, sink);
  return true;
}

void ProcessSource::sample_stat(Entry& entry, const PidStat& stat, SampleSink& sink) {
  Slots& slots = entry.slots;
  slots.user.put(sink, to_ns(stat.user_ticks));
  slots.system.put(sink, to_ns(stat.system_ticks));
  slots.minor_faults.put(sink, stat.minor_faults);
  slots.major_faults.put(sink, stat.major_faults);
  // The memory and threads of what has ended are gone: a 0 would read as a fall.
  if (stat.has_ended()) return;
  slots.rss.put(sink, static_cast<double>(stat.rss_pages) * page_bytes());
  slots.threads.put(sink, stat.threads);
}

void ProcessSource::sample_io(Entry& entry, SampleSink& sink) {
  const auto text = entry.io.read(buffer_);
  if (!text) return;
  const auto io = parse_pid_io(*text);
  if (!io.has_value()) return entry.io.reject(io.error());
  entry.slots.read.put(sink, io.value().read_bytes);
  entry.slots.read_chars.put(sink, io.value().read_chars_bytes);
  entry.slots.write.put(sink, io.value().write_bytes);
}

void ProcessSource::sample_status(Entry& entry, SampleSink& sink) {
  const auto text = entry.status.read(buffer_);
  if (!text) return;
  const auto parsed = parse_pid_status(*text);
  if (!parsed.has_value()) return entry.status.reject(parsed.error());
  const PidStatus& status = parsed.value();
  // It is gone for a moment while the process exits, before /proc/<pid>/stat says so.
  if (status.swap_bytes) entry.slots.swap.put(sink, *status.swap_bytes);
  if (status.peak_rss_bytes) entry.slots.peak_rss.put(sink, *status.peak_rss_bytes);
  entry.slots.voluntary.put(sink, status.voluntary_switches);
  entry.slots.involuntary.put(sink, status.involuntary_switches);
}

void ProcessSource::sample_schedstat(Entry& entry, SampleSink& sink) {
  const auto text = entry.schedstat.read(buffer_);
  if (!text) return;
  const auto parsed = parse_pid_schedstat(*text);
  if (!parsed.has_value()) return entry.schedstat.reject(parsed.error());
  entry.slots.run_delay.put(sink, parsed.value().run_delay_ns);
}

std::vector<std::string> ProcessSource::absent() const {
  std::vector<std::string> lines;
  for (const SeriesFile Entry::*const file :
       {&Entry::stat, &Entry::io, &Entry::status, &Entry::schedstat}) {
    std::size_t failing = 0;
    const std::size_t before = lines.size();
    for (const Entry& entry : entries_) {
      if ((entry.*file).ok()) continue;
      if (failing++ == 0) (entry.*file).append_absent(lines);
    }
    if (failing < 2) continue;
    const std::string others = " (and " + std::to_string(failing - 1) + " more processes)";
    for (std::size_t i = before; i < lines.size(); ++i) lines[i] += others;
  }
  return lines;
}

}  // namespace latido::telemetry
