// Processes that PythonTarget::open() refuses, and what it says of each.
#include <gtest/gtest.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <string>

#include "stacks/python_target.h"
#include "stacks/testing/python_program.h"

namespace latido::stacks {
namespace {

using testing::PythonProgram;

void expect_refused(pid_t pid, ErrorCode code, const std::string& words) {
  const auto target = PythonTarget::open(pid);
  ASSERT_FALSE(target.has_value());
  EXPECT_EQ(target.error().code, code) << target.error().message;
  EXPECT_NE(target.error().message.find(words), std::string::npos) << target.error().message;
}

TEST(RefusedTarget, AProcessThatDoesNotExist) {
  expect_refused(0x3FFF'FFFF, ErrorCode::kNotFound, "does not exist");
}

TEST(RefusedTarget, AProgramThatIsNotPython) {
  PythonProgram cat({"/bin/cat"});
  // Until it is /bin/cat it is this program, which is none either.
  expect_refused(cat.pid(), ErrorCode::kInvalidInput, "runs no CPython");
}

TEST(RefusedTarget, AProgramNamedPythonWithoutItsSymbols) {
  const std::filesystem::path folder =
      std::filesystem::path(::testing::TempDir()) / ("stacks-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  const std::string path = folder / "python3.9";
  std::filesystem::copy_file("/bin/cat", path, std::filesystem::copy_options::overwrite_existing);
  {
    PythonProgram program({path, "-", "/proc/self/nothing"});
    for (int k = 0;
         k < 100'000 && PythonTarget::open(program.pid()).error().code == ErrorCode::kInvalidInput;
         ++k) {
    }
    expect_refused(program.pid(), ErrorCode::kUnsupported, "has no symbol _PyRuntime");
  }
  std::filesystem::remove_all(folder);
}

TEST(RefusedTarget, AVersionThatIsTooOldIsNamed) {
  bool tried = false;
  for (const std::string& python : testing::pythons(6)) {
    const int minor = minor_in_name(python);
    if (minor >= 8) continue;
    tried = true;
    PythonProgram program(python, "import sys\nprint('ready', flush=True)\nsys.stdin.read()");
    program.wait_until_ready();
    expect_refused(program.pid(), ErrorCode::kUnsupported,
                   "Python 3." + std::to_string(minor) + " is not supported");
  }
  if (!tried) GTEST_SKIP() << "no CPython 3.6 or 3.7 on this machine";
}

TEST(RefusedTarget, AProcessOfAnotherUserNamesThePermission) {
  const auto pythons = testing::pythons();
  if (pythons.empty()) GTEST_SKIP() << "no CPython 3.8 to 3.13 on this machine";
  if (::geteuid() != 0) GTEST_SKIP() << "only root can become another user";
  PythonProgram program(pythons[0], "import sys\nprint('ready', flush=True)\nsys.stdin.read()");
  program.wait_until_ready();
  const pid_t child = ::fork();
  if (child == 0) {
    constexpr uid_t kNobody = 65534;
    if (::setgid(kNobody) != 0 || ::setuid(kNobody) != 0) ::_exit(2);
    const auto target = PythonTarget::open(program.pid());
    const std::string message = target ? "" : target.error().message;
    const bool good = !target && target.error().code == ErrorCode::kUnavailable &&
                      message.find("CAP_SYS_PTRACE") != std::string::npos &&
                      message.find("kernel.yama.ptrace_scope") != std::string::npos;
    ::_exit(good ? 0 : 1);
  }
  int status = 0;
  ::waitpid(child, &status, 0);
  EXPECT_EQ(status, 0);
}

TEST(RefusedTarget, AProcessThatEndedButWasNotWaitedFor) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(0);
  siginfo_t info;
  ::waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOWAIT);
  expect_refused(child, ErrorCode::kNotFound, "does not exist");
  ::waitpid(child, nullptr, 0);
}

}  // namespace
}  // namespace latido::stacks
