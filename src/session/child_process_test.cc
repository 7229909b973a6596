#include "session/child_process.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>

namespace latido::session {
namespace {

ExitStatus run(const std::string& script) {
  auto child = ChildProcess::start({"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin", "X=3"});
  EXPECT_TRUE(child.has_value());
  pollfd ended{.fd = child.value().ended_fd(), .events = POLLIN, .revents = 0};
  ::poll(&ended, 1, -1);
  EXPECT_TRUE(child.value().has_ended());
  const auto status = child.value().try_wait();
  EXPECT_TRUE(status.has_value());
  return status.value_or(ExitStatus{});
}

TEST(ChildProcess, PassesOnTheExitCodeAndTheEnvironment) { EXPECT_EQ(run("exit $X").code, 3); }

TEST(ChildProcess, SaysWhichSignalEndedIt) {
  const ExitStatus status = run("kill -TERM $$");
  EXPECT_EQ(status.signal, SIGTERM);
  EXPECT_EQ(status.code, 0);
}

TEST(ChildProcess, TellsNotFoundFromNotExecutable) {
  const auto missing = ChildProcess::start({"no-such-command-here"}, {});
  ASSERT_FALSE(missing.has_value());
  EXPECT_EQ(missing.error().code, ErrorCode::kNotFound);
  const auto folder = ChildProcess::start({"/tmp"}, {});
  ASSERT_FALSE(folder.has_value());
  EXPECT_EQ(folder.error().code, ErrorCode::kInvalidInput);
}

TEST(ChildProcess, SaysThatAScriptsInterpreterIsGone) {
  const std::filesystem::path script =
      std::filesystem::temp_directory_path() / ("latido-script-" + std::to_string(::getpid()));
  std::ofstream(script) << "#!/no/such/interpreter\n";
  std::filesystem::permissions(script, std::filesystem::perms::owner_all);
  const auto started = ChildProcess::start({script.string()}, {});
  ASSERT_FALSE(started.has_value());
  EXPECT_EQ(started.error().code, ErrorCode::kInvalidInput);
  EXPECT_NE(started.error().message.find("interpreter"), std::string::npos);
  std::filesystem::remove(script);
}

}  // namespace
}  // namespace latido::session
