#include "session/child_process.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <sstream>

namespace latido::session {
namespace {

std::vector<char*> pointers_to(const std::vector<std::string>& strings) {
  std::vector<char*> out;
  out.reserve(strings.size() + 1);
  for (const std::string& text : strings) out.push_back(const_cast<char*>(text.c_str()));
  out.push_back(nullptr);
  return out;
}

// Runs in the child between fork and exec: async-signal-safe calls only.
[[noreturn]] void exec_child(char* const* arguments, char* const* environment, int report_fd) {
  sigset_t none;
  ::sigemptyset(&none);
  ::sigprocmask(SIG_SETMASK, &none, nullptr);
  ::execvpe(arguments[0], arguments, environment);
  const int why = errno;
  [[maybe_unused]] const ssize_t written = ::write(report_fd, &why, sizeof(why));
  ::_exit(127);
}

// Whether `program` names an executable file, there or on PATH.
bool is_there(const std::string& program) {
  if (program.find('/') != std::string::npos) return ::access(program.c_str(), X_OK) == 0;
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path != nullptr ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + program;
    if (!program.empty() && ::access(file.c_str(), X_OK) == 0) return true;
  }
  return false;
}

}  // namespace

Error start_error(int why, const std::string& program) {
  // A script whose first line names a file that is gone, as after a virtual environment has moved.
  if (why == ENOENT && is_there(program)) {
    return {ErrorCode::kInvalidInput,
            "not executable: " + program + " (the interpreter that it names is not there)"};
  }
  if (why == ENOENT || why == ENOTDIR) {
    return {ErrorCode::kNotFound, "command not found: " + program};
  }
  if (why == EACCES || why == ENOEXEC || why == EISDIR || why == ELOOP) {
    return {ErrorCode::kInvalidInput, "not executable: " + program};
  }
  return errno_error(why, "starting " + program);
}

void forbid_core_dump() noexcept {
  const rlimit none{.rlim_cur = 0, .rlim_max = 0};
  ::setrlimit(RLIMIT_CORE, &none);
}

Result<ChildProcess> ChildProcess::start(const std::vector<std::string>& arguments,
                                         const std::vector<std::string>& environment) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return errno_error(errno, "creating a pipe");
  const UniqueFd read_end(ends[0]);
  UniqueFd write_end(ends[1]);
  const std::vector<char*> argv = pointers_to(arguments);
  const std::vector<char*> envp = pointers_to(environment);

  const pid_t pid = ::fork();
  if (pid < 0) return errno_error(errno, "starting a process");
  if (pid == 0) exec_child(argv.data(), envp.data(), write_end.get());
  write_end.reset();

  // The pipe closes at a successful exec; otherwise it carries the reason.
  int why = 0;
  ssize_t size = 0;
  do {
    size = ::read(read_end.get(), &why, sizeof(why));
  } while (size < 0 && errno == EINTR);
  if (size == static_cast<ssize_t>(sizeof(why))) {
    ::waitpid(pid, nullptr, 0);
    return start_error(why, arguments.front());
  }
  return ChildProcess(pid, UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))));
}

void ChildProcess::send(int signal) const noexcept { ::kill(pid_, signal); }

bool ChildProcess::has_ended() const noexcept {
  siginfo_t info{};
  const int got = ::waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED | WNOHANG | WNOWAIT);
  return got != 0 || info.si_pid == pid_;
}

std::optional<ExitStatus> ChildProcess::try_wait() noexcept {
  int status = 0;
  if (::waitpid(pid_, &status, WNOHANG) != pid_) return std::nullopt;
  if (WIFSIGNALED(status)) return ExitStatus{.code = 0, .signal = WTERMSIG(status)};
  return ExitStatus{.code = WEXITSTATUS(status), .signal = 0};
}

}  // namespace latido::session
