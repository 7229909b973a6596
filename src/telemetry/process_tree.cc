#include "telemetry/process_tree.h"

#include <algorithm>
#include <cerrno>
#include <optional>
#include <utility>

#include "base/clock.h"
#include "telemetry/clock_ticks.h"
#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::size_t kArgumentBytes = std::size_t{16} << 10;

std::string path_of(std::int32_t pid, std::string_view file) {
  std::string path = "/proc/";
  return path.append(std::to_string(pid)).append(file);
}

std::optional<std::int32_t> pid_of(std::string_view name) noexcept {
  const auto value = parse_unsigned(name);
  if (!value || *value == 0 || *value > 0x7FFF'FFFFU) return std::nullopt;
  return static_cast<std::int32_t>(*value);
}

// The kernel counts start times on the clock that runs on during suspend. How far that clock is ahead
// can only be known for now, which is right for every process started since the last suspend.
std::int64_t monotonic_ns_of(std::uint64_t start_ticks) noexcept {
  const std::int64_t ahead_ns = boottime_now_ns() - monotonic_now_ns();
  // Ticks beyond the clock's range come from a broken file; they must not overflow.
  const std::uint64_t limit = 0x7FFF'FFFF'FFFF'FFFFU / ns_per_tick();
  return static_cast<std::int64_t>(std::min(start_ticks, limit) * ns_per_tick()) - ahead_ns;
}

}  // namespace

ProcessTree::ProcessTree(std::int32_t top_pid, std::string root)
    : top_pid_(top_pid),
      root_(std::move(root)),
      loadavg_(root_.path("/proc/loadavg")),
      folder_(nullptr, ::closedir) {}

Result<std::span<const ProcessEntry>> ProcessTree::scan() {
  if (!can_skip_listing()) {
    auto status = list_processes();
    if (!status) return std::move(status).error();
    grow_tree();
  }
  refresh_entries();
  return std::span<const ProcessEntry>{entries_};
}

// Every fork changes the number; ends do not, but those show in the entries. A task gets its number a
// moment before it is listed, hence one more listing after the number has come to rest.
bool ProcessTree::can_skip_listing() {
  const Reading reading = loadavg_.read(buffer_);
  const std::uint64_t last_pid = reading.ok() ? find_last_pid(reading.text) : 0;
  quiet_scans_ = last_pid != 0 && last_pid == last_pid_ ? quiet_scans_ + 1 : 0;
  last_pid_ = last_pid;
  return quiet_scans_ >= 2;
}

Status ProcessTree::list_processes() {
  if (folder_) {
    ::rewinddir(folder_.get());
  } else {
    const std::string path = root_.path("/proc");
    folder_.reset(::opendir(path.c_str()));
    if (!folder_) return errno_error(errno, path);
  }
  ++round_;
  fresh_.clear();
  while (const dirent* const item = ::readdir(folder_.get())) {
    if (const auto pid = pid_of(item->d_name)) note(*pid, item->d_ino);
  }
  std::erase_if(known_, [this](const auto& item) { return item.second.round != round_; });
  return ok();
}

void ProcessTree::note(std::int32_t pid, std::uint64_t inode) {
  const auto found = known_.find(pid);
  if (found != known_.end() && found->second.inode == inode) {
    found->second.round = round_;
    return;
  }
  const Reading reading = root_.read(path_of(pid, "/stat"), buffer_);
  if (!reading.ok()) {  // usually because it has ended since it was listed
    quiet_scans_ = 0;
    return;
  }
  const auto stat = parse_pid_stat(reading.text);
  if (!stat.has_value()) return;
  const PidStat& now = stat.value();
  // The inode of a living process can change too, when the kernel drops it from its cache.
  const bool is_same = found != known_.end() && found->second.start_ticks == now.start_ticks;
  const bool in_tree = is_top(now) || (is_same && found->second.in_tree);
  known_[pid] = {inode, now.parent_pid, now.start_ticks, round_, in_tree};
  fresh_.push_back(pid);
}

// Another process that gets the pid later is not the top.
bool ProcessTree::is_top(const PidStat& stat) {
  if (stat.pid != top_pid_) return false;
  if (!top_start_ticks_) top_start_ticks_ = stat.start_ticks;
  return *top_start_ticks_ == stat.start_ticks;
}

void ProcessTree::grow_tree() {
  // Each pass reaches one generation further; the listing's order is not that of birth.
  for (bool grew = true; grew;) {
    grew = false;
    for (const std::int32_t pid : fresh_) {
      Known& process = known_.at(pid);
      if (process.in_tree || !has_parent_in_tree(process)) continue;
      process.in_tree = true;
      grew = true;
    }
  }
  for (const std::int32_t pid : fresh_) {
    Known& process = known_.at(pid);
    // Its parent ended while we listed: read it again next time, when it has a new one.
    if (!known_.contains(process.parent_pid) && process.parent_pid != 0) {
      process.inode = 0;
      quiet_scans_ = 0;
    }
    const bool is_listed = std::ranges::any_of(
        entries_, [pid](const ProcessEntry& entry) { return entry.pid == pid; });
    if (process.in_tree && !is_listed) entries_.emplace_back().pid = pid;
  }
}

bool ProcessTree::has_parent_in_tree(const Known& process) const {
  const auto parent = known_.find(process.parent_pid);
  return parent != known_.end() && parent->second.in_tree &&
         parent->second.start_ticks <= process.start_ticks;
}

void ProcessTree::refresh_entries() {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < entries_.size(); ++i) {
    if (!refresh(entries_[i])) continue;
    if (kept != i) entries_[kept] = std::move(entries_[i]);
    ++kept;
  }
  entries_.resize(kept);
  std::ranges::sort(entries_, {}, &ProcessEntry::pid);
}

// False: it is not, or no longer, a living process of the tree.
bool ProcessTree::refresh(ProcessEntry& entry) {
  const auto known = known_.find(entry.pid);
  if (known == known_.end() || !known->second.in_tree) return false;
  const Reading reading = root_.read(path_of(entry.pid, "/stat"), buffer_);
  // Without a descriptor to read it with, it stays as it was.
  if (!reading.ok()) return reading.error_number != ENOENT && reading.error_number != ESRCH;
  const auto parsed = parse_pid_stat(reading.text);
  if (!parsed.has_value()) return false;
  const PidStat& stat = parsed.value();
  if (stat.has_ended() || stat.start_ticks != known->second.start_ticks) return false;

  const bool is_new = entry.start_ticks != stat.start_ticks;
  const bool has_changed =
      is_new || entry.exec_marker != stat.argument_address || entry.name != stat.name;
  if (is_new) {
    entry.start_ticks = stat.start_ticks;
    entry.start_ns = monotonic_ns_of(stat.start_ticks);
  }
  entry.parent_pid = stat.parent_pid;
  entry.exec_marker = stat.argument_address;
  if (!has_changed) return true;
  entry.name = stat.name;
  entry.arguments = read_arguments(entry.pid);
  return true;
}

std::vector<std::string> ProcessTree::read_arguments(std::int32_t pid) {
  std::vector<std::string> arguments;
  const Reading reading = root_.read_head(path_of(pid, "/cmdline"), kArgumentBytes, buffer_);
  std::string_view rest = reading.text;
  // Each argument ends in a NUL, so that an empty last one is one.
  while (!rest.empty()) arguments.emplace_back(next_field(rest, '\0'));
  return arguments;
}

std::uint64_t find_last_pid(std::string_view loadavg) noexcept {
  std::string_view rest = trimmed(loadavg);
  std::string_view last;
  for (int i = 0; i < 5; ++i) last = next_word(rest);  // "0.15 0.10 0.05 2/198 14784"
  return parse_unsigned(last).value_or(0);
}

}  // namespace latido::telemetry
