// ProcessTree: finds the processes of a run, those without any recorder too.
//
// Used by one thread of the agent. A scan costs a listing of /proc and one read for each process that
// is new since the scan before, none where no process was started at all; so it can run every second on
// a node with thousands of processes. Never touches the processes.
#pragma once

#include <dirent.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/result.h"
#include "telemetry/pid_stat.h"
#include "telemetry/proc_root.h"

namespace latido::telemetry {

struct ProcessEntry {
  std::int32_t pid = 0;
  std::int32_t parent_pid = 0;    // now: a process that outlives its parent gets another one
  std::uint64_t start_ticks = 0;  // since boot; with the pid it names the process for good
  std::int64_t start_ns = 0;      // CLOCK_MONOTONIC, 10 ms steps, never later than the true start
  // Where its arguments lie in memory: changes with every exec. 0 where the kernel does not tell.
  std::uint64_t exec_marker = 0;
  std::string name;                    // as the kernel knows it, 15 bytes at most
  std::vector<std::string> arguments;  // argv as it is: redact before storing. At most 16 KiB of it

  bool operator==(const ProcessEntry&) const = default;
};

class ProcessTree {
 public:
  // `top_pid` and all its descendants are the tree.
  explicit ProcessTree(std::int32_t top_pid, std::string root = "/");

  // All living processes of the tree by pid, the top one included. What was once in the tree stays in it
  // when its parent ends. A process that was started and lost its parent between two scans is missed,
  // unless the caller is a subreaper and in the tree. The view holds until the next scan.
  // Errors: /proc cannot be listed.
  Result<std::span<const ProcessEntry>> scan();

 private:
  // What is remembered of a process, in the tree or not, so that it is read once.
  struct Known {
    std::uint64_t inode = 0;  // of /proc/<pid>: new for each process that gets the pid
    std::int32_t parent_pid = 0;
    std::uint64_t start_ticks = 0;
    std::uint64_t round = 0;  // the last listing that it was in
    bool in_tree = false;
  };
  bool can_skip_listing();
  Status list_processes();
  void note(std::int32_t pid, std::uint64_t inode);
  bool is_top(const PidStat& stat);
  void grow_tree();
  bool has_parent_in_tree(const Known& process) const;
  void refresh_entries();
  bool refresh(ProcessEntry& entry);
  std::vector<std::string> read_arguments(std::int32_t pid);

  std::int32_t top_pid_;
  ProcRoot root_;
  FileBuffer buffer_;
  HeldFile loadavg_;
  std::unique_ptr<DIR, int (*)(DIR*)> folder_;
  std::uint64_t last_pid_ = 0;  // the newest task of the system at the last scan; 0: unknown
  int quiet_scans_ = 0;         // in a row that found the same one
  std::optional<std::uint64_t> top_start_ticks_;
  std::uint64_t round_ = 0;
  std::unordered_map<std::int32_t, Known> known_;
  std::vector<std::int32_t> fresh_;  // read in this round
  std::vector<ProcessEntry> entries_;
};

// The pid of the system's newest task, from /proc/loadavg; 0 when it does not say.
std::uint64_t find_last_pid(std::string_view loadavg) noexcept;

}  // namespace latido::telemetry
