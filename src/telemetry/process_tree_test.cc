#include "telemetry/process_tree.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "base/clock.h"
#include "telemetry/clock_ticks.h"
#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

struct Recorded {
  int pid;
  int parent;
  int start_ticks = 100;
  std::string name = "python";
  char state = 'S';
  int exec_marker = 77;
};

void write_process(const RecordedTree& tree, const Recorded& p, std::string_view cmdline = "") {
  const std::string folder = "/proc/" + std::to_string(p.pid);
  tree.write(folder + "/stat", std::to_string(p.pid) + " (" + p.name + ") " + p.state + " " +
                                   std::to_string(p.parent) +
                                   " 1 1 0 -1 0 5 0 6 0 7 8 0 0 20 0 9 0 " +
                                   std::to_string(p.start_ticks) +
                                   " 1000 11 1 2 3 4 5 6 0 0 0 0 0 0 0 17 0 0 0 0 0 0 1 2 3 " +
                                   std::to_string(p.exec_marker) + " 8 9 10 0\n");
  tree.write(folder + "/cmdline", cmdline);
}

std::vector<int> pids_of(ProcessTree& tree) {
  auto entries = tree.scan();
  std::vector<int> pids;
  if (!entries) return {-1};
  for (const ProcessEntry& entry : entries.value()) pids.push_back(entry.pid);
  return pids;
}

TEST(ProcessTree, ListsTheTopAndAllDescendants) {
  const RecordedTree root;
  write_process(root, {1, 0, 1, "init"});
  write_process(root, {2, 0, 1, "kthreadd"});
  write_process(root, {10, 1},
                "python\0train.py\0"
                "");
  write_process(root, {11, 10});
  write_process(root, {12, 1});
  write_process(root, {9, 11});  // the numbers have wrapped
  root.write("/proc/notes/stat", "x");
  root.write("/proc/loadavg", "0.15 0.10 0.05 2/198 13\n");
  ProcessTree tree{10, root.root()};
  EXPECT_EQ(pids_of(tree), (std::vector<int>{9, 10, 11}));
  EXPECT_EQ(pids_of(tree), (std::vector<int>{9, 10, 11}));
  ProcessTree other{99, root.root()};
  EXPECT_EQ(pids_of(other), std::vector<int>{});
}

TEST(ProcessTree, ReadsNameParentStartAndArguments) {
  const RecordedTree root;
  using namespace std::string_view_literals;
  write_process(root, {10, 1, 500, "my) prog"}, "python\0-c\0\0print('a b')\0"sv);
  ProcessTree tree{10, root.root()};
  auto entries = tree.scan();
  ASSERT_TRUE(entries.has_value());
  ASSERT_EQ(entries.value().size(), 1U);
  const ProcessEntry& entry = entries.value()[0];
  EXPECT_EQ(entry.parent_pid, 1);
  EXPECT_EQ(entry.name, "my) prog");
  EXPECT_EQ(entry.start_ticks, 500U);
  EXPECT_EQ(entry.exec_marker, 77U);
  EXPECT_EQ(entry.arguments, (std::vector<std::string>{"python", "-c", "", "print('a b')"}));
  const auto boot_ns = static_cast<std::int64_t>(500 * ns_per_tick());
  const std::int64_t ahead_ns = boottime_now_ns() - monotonic_now_ns();
  EXPECT_NEAR(static_cast<double>(entry.start_ns), static_cast<double>(boot_ns - ahead_ns), 1e8);
}

TEST(ProcessTree, SeesStartsEndsAndOrphans) {
  const RecordedTree root;
  write_process(root, {10, 1});
  write_process(root, {11, 10});
  ProcessTree tree{10, root.root()};
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11}));
  write_process(root, {12, 11});
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11, 12}));
  root.remove("/proc/11");
  write_process(root, {12, 1});  // init has taken it over
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 12}));
  write_process(root, {13, 12});
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 12, 13}));
  root.remove("/proc/10");
  EXPECT_EQ(pids_of(tree), (std::vector<int>{12, 13}));
}

TEST(ProcessTree, DropsWhatHasEndedThoughItIsStillListed) {
  const RecordedTree root;
  write_process(root, {10, 1});
  write_process(root, {11, 10});
  ProcessTree tree{10, root.root()};
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11}));
  write_process(root, {11, 10, 100, "python", 'Z'});
  EXPECT_EQ(pids_of(tree), std::vector<int>{10});
  EXPECT_EQ(pids_of(tree), std::vector<int>{10});
}

TEST(ProcessTree, DoesNotTakeAReusedPidForTheOldProcess) {
  const RecordedTree root;
  write_process(root, {10, 1});
  write_process(root, {11, 10});
  write_process(root, {12, 11});
  ProcessTree tree{10, root.root()};
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11, 12}));
  // A folder made beside the old one has another inode, as a new process has.
  write_process(root, {9911, 1, 200});
  write_process(root, {9910, 1, 200});
  for (const std::string pid : {"11", "10"}) {
    root.remove("/proc/" + pid);
    std::filesystem::rename(root.root() + "/proc/99" + pid, root.root() + "/proc/" + pid);
  }
  write_process(root, {11, 1, 200});
  write_process(root, {10, 1, 200});
  EXPECT_EQ(pids_of(tree), std::vector<int>{12});
}

TEST(ProcessTree, ReadsArgumentsAgainAfterAnExec) {
  const RecordedTree root;
  using namespace std::string_view_literals;
  write_process(root, {10, 1, 100, "sh"}, "sh\0run.sh\0"sv);
  ProcessTree tree{10, root.root()};
  const auto arguments = [&tree] {
    auto entries = tree.scan();
    return entries.has_value() && !entries.value().empty() ? entries.value()[0].arguments
                                                           : std::vector<std::string>{};
  };
  EXPECT_EQ(arguments(), (std::vector<std::string>{"sh", "run.sh"}));
  root.write("/proc/10/cmdline", "changed in place\0"sv);
  EXPECT_EQ(arguments(), (std::vector<std::string>{"sh", "run.sh"}));
  write_process(root, {10, 1, 100, "sh", 'S', 78}, "sh\0again.sh\0"sv);
  EXPECT_EQ(arguments(), (std::vector<std::string>{"sh", "again.sh"}));
  write_process(root, {10, 1, 100, "python", 'S', 78}, "python\0"sv);
  EXPECT_EQ(arguments(), std::vector<std::string>{"python"});
}

TEST(ProcessTree, SkipsTheListingOnceNoTaskWasStartedForTwoScans) {
  const RecordedTree root;
  write_process(root, {1, 0, 1});
  write_process(root, {10, 1});
  root.write("/proc/loadavg", "0.15 0.10 0.05 2/198 11\n");
  ProcessTree tree{10, root.root()};
  EXPECT_EQ(pids_of(tree), std::vector<int>{10});
  write_process(root, {11, 10});  // had its number before the first scan
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11}));
  write_process(root, {12, 10});  // cannot be without a new number, so it is not looked for
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11}));
  root.write("/proc/loadavg", "0.15 0.10 0.05 2/198 12\n");
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11, 12}));
}

TEST(ProcessTree, ListsEveryTimeWhileAParentIsUnknown) {
  const RecordedTree root;
  write_process(root, {10, 1});
  write_process(root, {11, 9});  // its parent has just ended
  root.write("/proc/loadavg", "0.15 0.10 0.05 2/198 11\n");
  ProcessTree tree{10, root.root()};
  for (int i = 0; i < 3; ++i) EXPECT_EQ(pids_of(tree), std::vector<int>{10});
  write_process(root, {11, 10});  // the kernel has given it a new one
  EXPECT_EQ(pids_of(tree), (std::vector<int>{10, 11}));
}

TEST(ProcessTree, SurvivesNonsense) {
  const RecordedTree root;
  write_process(root, {10, 1});
  root.write("/proc/11/stat", "nonsense");
  root.make_folder("/proc/12");
  root.write("/proc/99999999999999999999/stat", "x");
  write_process(root, {13, 14});  // a ring of parents
  write_process(root, {14, 13});
  write_process(root, {15, 10, 50});  // older than its parent: that pid was another's
  ProcessTree tree{10, root.root()};
  EXPECT_EQ(pids_of(tree), std::vector<int>{10});
}

TEST(ProcessTree, FailsWithoutProc) {
  const RecordedTree root;
  ProcessTree tree{10, root.root()};
  const auto entries = tree.scan();
  ASSERT_FALSE(entries.has_value());
  EXPECT_EQ(entries.error().code, ErrorCode::kNotFound);
}

TEST(ProcessTree, FindsARealChildAndItsExec) {
  std::array<int, 2> to_child{};
  std::array<int, 2> from_child{};
  ASSERT_EQ(::pipe(to_child.data()), 0);
  ASSERT_EQ(::pipe(from_child.data()), 0);
  const std::int64_t before_ns = monotonic_now_ns();
  const pid_t child = ::fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    ::dup2(to_child[0], 0);
    ::dup2(from_child[1], 1);
    ::execl("/bin/sh", "sh", "-c", "echo up; read line; exit 0", static_cast<char*>(nullptr));
    ::_exit(127);
  }
  char byte = 0;
  ASSERT_EQ(::read(from_child[0], &byte, 1), 1);  // it has executed sh
  ProcessTree tree{::getpid()};
  auto entries = tree.scan();
  ASSERT_TRUE(entries.has_value()) << entries.error().message;
  const auto listed = std::ranges::find(entries.value(), child, &ProcessEntry::pid);
  ASSERT_NE(listed, entries.value().end());
  EXPECT_EQ(listed->parent_pid, ::getpid());
  EXPECT_EQ(listed->arguments,
            (std::vector<std::string>{"sh", "-c", "echo up; read line; exit 0"}));
  constexpr std::int64_t kTickNs = 10'000'000;
  EXPECT_GE(listed->start_ns, before_ns - 2 * kTickNs);
  EXPECT_LE(listed->start_ns, monotonic_now_ns());
  ASSERT_EQ(::write(to_child[1], "\n", 1), 1);
  ASSERT_EQ(::waitpid(child, nullptr, 0), child);
  EXPECT_EQ(std::ranges::count(pids_of(tree), child), 0);
  for (const int fd : {to_child[0], to_child[1], from_child[0], from_child[1]}) ::close(fd);
}

TEST(FindLastPid, TakesTheFifthWord) {
  EXPECT_EQ(find_last_pid("0.15 0.10 0.05 2/198 14784\n"), 14784U);
  EXPECT_EQ(find_last_pid("0.00 0.00 0.00 0/0 0\n"), 0U);
  EXPECT_EQ(find_last_pid("0.15 0.10"), 0U);
  EXPECT_EQ(find_last_pid(""), 0U);
}

}  // namespace
}  // namespace latido::telemetry
