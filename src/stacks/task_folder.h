// TaskFolder and TaskProbe: what the kernel says of a process's threads (/proc/<pid>/task).
//
// Called from the sampling thread only. Holds the folder open, so that a process number which is
// used again is noticed.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace latido::stacks {

// What a thread does at this moment, as far as it can be told from outside.
//   kBusy  it holds the GIL, or the kernel runs it (or would, had it a core): native code that gave
//          the GIL back counts
//   kIdle  it sleeps: waits for a lock, the GIL, a file, a socket, a timer
enum class Activity : std::uint8_t { kUnknown, kIdle, kBusy };

class TaskFolder {
 public:
  // kNotFound: no such process.
  static Result<TaskFolder> open(pid_t pid);

  // Threads by the number they have in their own PID namespace; the value is the one they have here.
  // Empty when the process has ended.
  std::unordered_map<pid_t, pid_t> threads() const;

  // The first bytes of a file of one thread; empty when there is none. `buffer` holds them.
  UniqueFd open_file(pid_t tid, const char* name) const;

  bool is_namespaced() const noexcept { return namespaced_; }

 private:
  TaskFolder(UniqueFd folder, bool namespaced) noexcept
      : folder_(std::move(folder)), namespaced_(namespaced) {}

  UniqueFd folder_;
  bool namespaced_ = false;
};

// One thread's state. Reads schedstat (1 µs) and only where that says that the thread has run, or
// is not there, stat (5 µs).
class TaskProbe {
 public:
  TaskProbe() = default;
  explicit TaskProbe(pid_t tid) noexcept : tid_(tid) {}

  // `may_hold`: the files may stay open until the next time, which saves most of the time.
  Activity check(const TaskFolder& folder, bool may_hold);
  bool holds_files() const noexcept { return schedstat_ || stat_; }
  void close_files() noexcept {
    schedstat_.reset();
    stat_.reset();
  }

 private:
  Activity read_state(const TaskFolder& folder, bool may_hold);

  pid_t tid_ = 0;
  UniqueFd schedstat_;
  UniqueFd stat_;
  std::string last_schedstat_;
  Activity last_ = Activity::kUnknown;
};

// The state in the text of a stat file: R is busy, S, D, T, t, I idle; else unknown.
Activity parse_task_state(std::string_view stat) noexcept;

// The innermost number in the NSpid line of a status file; 0: there is none.
pid_t parse_inner_tid(std::string_view status) noexcept;

}  // namespace latido::stacks
