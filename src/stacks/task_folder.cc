#include "stacks/task_folder.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <memory>
#include <span>
#include <utility>

namespace latido::stacks {
namespace {

constexpr std::size_t kMaxThreads = 65'536;

std::string_view read_head(int fd, std::span<char> buffer) {
  const ssize_t got = fd < 0 ? -1 : ::pread(fd, buffer.data(), buffer.size(), 0);
  return got <= 0 ? std::string_view()
                  : std::string_view(buffer.data(), static_cast<std::size_t>(got));
}

pid_t parse_tid(std::string_view text) noexcept {
  pid_t tid = 0;
  std::from_chars(text.data(), text.data() + text.size(), tid);
  return tid;
}

}  // namespace

Activity parse_task_state(std::string_view stat) noexcept {
  const std::size_t name_end = stat.rfind(')');  // the thread's name may hold anything
  if (name_end == std::string_view::npos || name_end + 2 >= stat.size()) return Activity::kUnknown;
  switch (stat[name_end + 2]) {
    case 'R':
      return Activity::kBusy;
    case 'S':
    case 'D':
    case 'T':
    case 't':
    case 'I':
      return Activity::kIdle;
    default:
      return Activity::kUnknown;
  }
}

pid_t parse_inner_tid(std::string_view status) noexcept {
  constexpr std::string_view kKey = "\nNSpid:";
  const std::size_t at = status.find(kKey);
  if (at == std::string_view::npos) return 0;
  std::string_view line = status.substr(at + kKey.size());
  line = line.substr(0, line.find('\n'));
  return parse_tid(line.substr(line.find_last_of(" \t") + 1));
}

Result<TaskFolder> TaskFolder::open(pid_t pid) {
  const std::string path = "/proc/" + std::to_string(pid) + "/task";
  UniqueFd folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!folder) {
    return Error{ErrorCode::kNotFound, "process " + std::to_string(pid) + " does not exist"};
  }
  TaskFolder tasks(std::move(folder), false);
  std::array<char, 4096> buffer;  // NOLINT: filled below
  const UniqueFd status = tasks.open_file(pid, "status");
  const pid_t inner = parse_inner_tid(read_head(status.get(), buffer));
  tasks.namespaced_ = inner != 0 && inner != pid;
  return tasks;
}

UniqueFd TaskFolder::open_file(pid_t tid, const char* name) const {
  const std::string path = std::to_string(tid) + "/" + name;
  return UniqueFd(::openat(folder_.get(), path.c_str(), O_RDONLY | O_CLOEXEC));
}

std::unordered_map<pid_t, pid_t> TaskFolder::threads() const {
  std::unordered_map<pid_t, pid_t> found;
  const int copy = ::openat(folder_.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (copy < 0) return found;
  const std::unique_ptr<DIR, int (*)(DIR*)> folder(::fdopendir(copy), ::closedir);
  std::array<char, 4096> buffer;  // NOLINT: filled below
  while (folder != nullptr && found.size() < kMaxThreads) {
    const dirent* entry = ::readdir(folder.get());
    if (entry == nullptr) break;
    const pid_t tid = parse_tid(entry->d_name);
    if (tid == 0) continue;
    pid_t inner = tid;
    if (namespaced_) {
      const UniqueFd status = open_file(tid, "status");
      inner = parse_inner_tid(read_head(status.get(), buffer));
    }
    if (inner != 0) found.emplace(inner, tid);
  }
  return found;
}

Activity TaskProbe::check(const TaskFolder& folder, bool may_hold) {
  if (tid_ == 0) return Activity::kUnknown;
  std::array<char, 128> buffer;  // NOLINT: filled below
  if (!schedstat_) schedstat_ = folder.open_file(tid_, "schedstat");
  const std::string_view text = read_head(schedstat_.get(), buffer);
  // Counters that stand still: a sleeping thread sleeps on. One that was running may run between
  // two ticks of the scheduler, when they stand still as well.
  const bool same = !text.empty() && text == last_schedstat_;
  if (!same || last_ != Activity::kIdle) last_ = read_state(folder, may_hold);
  if (!same) last_schedstat_ = text;
  if (!may_hold) close_files();
  return last_;
}

Activity TaskProbe::read_state(const TaskFolder& folder, bool may_hold) {
  std::array<char, 512> buffer;  // NOLINT: filled below
  if (!stat_) stat_ = folder.open_file(tid_, "stat");
  const Activity state = parse_task_state(read_head(stat_.get(), buffer));
  if (!may_hold || state == Activity::kIdle) stat_.reset();
  return state;
}

}  // namespace latido::stacks
