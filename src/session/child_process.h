// ChildProcess: starts the profiled program and says how it ended.
//
// The program keeps our stdin, stdout, stderr, process group, limits and signal dispositions: it must
// not notice that it was not started by the shell.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "base/unique_fd.h"

namespace latido::session {

struct ExitStatus {
  int code = 0;    // exit code; 0 when ended by a signal
  int signal = 0;  // 0: it exited by itself
};

// "command not found: x" (kNotFound), "not executable: x" (kInvalidInput), else as errno_error.
Error start_error(int errno_value, const std::string& program);

// This process leaves no core file when it raises the program's signal on itself.
void forbid_core_dump() noexcept;

class ChildProcess {
 public:
  // Starts `arguments` (looked up on PATH) with `environment` ("NAME=value"). The signals blocked in
  // this process are unblocked in the child.
  // Errors: kNotFound (exit code 127), kInvalidInput when it is not executable (126), kUnavailable.
  static Result<ChildProcess> start(const std::vector<std::string>& arguments,
                                    const std::vector<std::string>& environment);

  pid_t pid() const noexcept { return pid_; }
  // Readable once the child has ended.
  int ended_fd() const noexcept { return pidfd_.get(); }
  void send(int signal) const noexcept;
  // It is a zombie, or reaped: /proc still tells a zombie's CPU time.
  bool has_ended() const noexcept;
  // The status once it has ended; does not wait. The child stays a zombie until this has returned it.
  std::optional<ExitStatus> try_wait() noexcept;  // NOLINT(*-member-function-const): it reaps

 private:
  ChildProcess(pid_t pid, UniqueFd pidfd) : pid_(pid), pidfd_(std::move(pidfd)) {}

  pid_t pid_ = 0;
  UniqueFd pidfd_;
};

}  // namespace latido::session
