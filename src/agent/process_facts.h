// What /proc says about one process when it first shows up. Read once a process; it may be gone already.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace latido::agent {

struct ProcessFacts {
  pid_t parent_pid = 0;
  std::uint64_t start_ticks = 0;  // since boot: with the pid it names the process for good
  std::int64_t start_ns = 0;      // CLOCK_MONOTONIC
  std::string command;            // redacted, arguments joined by blanks
  std::optional<std::int32_t> rank;
};

ProcessFacts read_process_facts(pid_t pid);

// The rank that a launcher gave in its environment ("NAME=value" entries): torchrun, Slurm, Open MPI,
// Kubernetes indexed jobs, in this order. Empty when none did.
std::optional<std::int32_t> rank_from_environment(const std::vector<std::string>& environment);

// The name of the thread `tid`, "" when it is gone or lives in another PID namespace.
std::string read_thread_name(pid_t pid, std::int32_t tid);

}  // namespace latido::agent
