#include "telemetry/process_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "model/metric_catalogue.h"
#include "telemetry/clock_ticks.h"
#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

using Values = std::map<std::string, double>;
constexpr model::ProcessId kFirst{0};
constexpr model::ProcessId kSecond{1};

std::string stat_text(int pid, char state, int start_ticks) {
  return std::to_string(pid) + " (a) b) " + state + " 1 1 1 0 -1 0 5 0 6 0 7 8 0 0 20 0 9 0 " +
         std::to_string(start_ticks) + " 1000 11 0 0 0";
}

void write_process(const RecordedTree& tree, int pid, char state = 'S', int start_ticks = 100) {
  const std::string folder = "/proc/" + std::to_string(pid);
  tree.write(folder + "/stat", stat_text(pid, state, start_ticks));
  tree.write(folder + "/io", "rchar: 21\nread_bytes: 22\nwrite_bytes: 23\n");
  tree.write(folder + "/schedstat", "41 42 43\n");
  tree.write(folder + "/status",
             "VmSwap:\t2 kB\nvoluntary_ctxt_switches:\t31\nnonvoluntary_ctxt_switches:\t32\n");
}

// Runs one round and returns the values of one process.
Values round(ProcessSource& source, model::SeriesTable& table, model::ProcessId id = kFirst) {
  std::vector<model::Sample> out;
  source.sample(7, table, out);
  Values values;
  for (const model::Sample& sample : out) {
    const model::Series& series = table.all().at(model::index_of(sample.series));
    EXPECT_EQ(sample.ts_ns, 7);
    if (series.process == id) values[series.metric] = sample.value;
  }
  return values;
}

TEST(ProcessSource, SamplesEverySeriesOfAProcess) {
  const RecordedTree tree;
  write_process(tree, 12);
  ProcessSource source{tree.root()};
  ASSERT_TRUE(source.add(12, kFirst).has_value());
  model::SeriesTable table;
  const auto tick = static_cast<double>(ns_per_tick());
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  EXPECT_EQ(round(source, table), (Values{{"proc.cpu.user_ns", 7 * tick},
                                          {"proc.cpu.system_ns", 8 * tick},
                                          {"proc.faults.minor", 5},
                                          {"proc.faults.major", 6},
                                          {"proc.memory.rss_bytes", 11 * page},
                                          {"proc.threads", 9},
                                          {"proc.io.read_chars_bytes", 21},
                                          {"proc.io.read_bytes", 22},
                                          {"proc.io.write_bytes", 23},
                                          {"proc.memory.swap_bytes", 2048},
                                          {"proc.ctx.voluntary", 31},
                                          {"proc.ctx.involuntary", 32},
                                          {"proc.cpu.run_delay_ns", 42}}));
  EXPECT_EQ(source.absent(), std::vector<std::string>{});
}

TEST(ProcessSource, KeepsProcessesApart) {
  const RecordedTree tree;
  write_process(tree, 12);
  write_process(tree, 13);
  tree.write("/proc/13/io", "rchar: 1\nread_bytes: 2\nwrite_bytes: 3\n");
  ProcessSource source{tree.root()};
  ASSERT_TRUE(source.add(12, kFirst).has_value());
  ASSERT_TRUE(source.add(13, kSecond).has_value());
  model::SeriesTable table;
  EXPECT_EQ(round(source, table, kFirst).at("proc.io.write_bytes"), 23);
  EXPECT_EQ(round(source, table, kSecond).at("proc.io.write_bytes"), 3);
  source.remove(12);
  EXPECT_EQ(source.size(), 1U);
  EXPECT_TRUE(round(source, table, kFirst).empty());
  EXPECT_FALSE(round(source, table, kSecond).empty());
}

TEST(ProcessSource, AddingAPidAgainGivesItANewId) {
  const RecordedTree tree;
  write_process(tree, 12);
  ProcessSource source{tree.root()};
  ASSERT_TRUE(source.add(12, kFirst).has_value());
  ASSERT_TRUE(source.add(12, kSecond).has_value());
  EXPECT_EQ(source.size(), 1U);
  model::SeriesTable table;
  EXPECT_TRUE(round(source, table, kFirst).empty());
  EXPECT_EQ(round(source, table, kSecond).size(), 13U);
}

TEST(ProcessSource, RefusesWhatIsNotThatProcess) {
  const RecordedTree tree;
  write_process(tree, 12);
  tree.write("/proc/13/stat", "nonsense");
  ProcessSource source{tree.root()};
  struct Case {
    std::string_view name;
    int pid;
    std::uint64_t start_ticks;
    ErrorCode code;
    std::string_view message;
  };
  const std::vector<Case> cases{
      {"no such process", 11, 100, ErrorCode::kNotFound, "/proc/11: No such file or directory"},
      {"another start time", 12, 99, ErrorCode::kNotFound,
       "/proc/12: the process has ended, another has its pid"},
      {"no sense", 13, 100, ErrorCode::kInvalidInput,
       "/proc/13: /proc/<pid>/stat has no field 'comm'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto status = source.add(c.pid, kFirst, c.start_ticks);
    ASSERT_FALSE(status.has_value());
    EXPECT_EQ(status.error().code, c.code);
    EXPECT_EQ(status.error().message, c.message);
  }
  EXPECT_EQ(source.size(), 0U);
  EXPECT_TRUE(source.add(12, kFirst, 100).has_value());
}

TEST(ProcessSource, StopsWhenAnotherProcessHasThePid) {
  const RecordedTree tree;
  write_process(tree, 12);
  ProcessSource source{tree.root()};
  ASSERT_TRUE(source.add(12, kFirst).has_value());
  write_process(tree, 12, 'S', 101);
  model::SeriesTable table;
  EXPECT_TRUE(round(source, table).empty());
  EXPECT_EQ(source.size(), 0U);
}

TEST(ProcessSource, ForgetsWhatIsGoneAndKeepsTheOthers) {
  const RecordedTree tree;
  for (const int pid : {11, 12, 13}) write_process(tree, pid);
  ProcessSource source{tree.root()};
  ASSERT_TRUE(source.add(11, kFirst).has_value());
  ASSERT_TRUE(source.add(12, kFirst).has_value());
  ASSERT_TRUE(source.add(13, kSecond).has_value());
  tree.remove("/proc/11");
  tree.remove("/proc/12");
  model::SeriesTable table;
  EXPECT_EQ(round(source, table, kSecond).size(), 13U);
  EXPECT_EQ(source.size(), 1U);
  EXPECT_EQ(round(source, table, kSecond).size(), 13U);
}

TEST(ProcessSource, TakesOnlyCountersFromWhatHasEnded) {
  const RecordedTree tree;
  write_process(tree, 12, 'Z');
  ProcessSource source{tree.root()};
  ASSERT_TRUE(source.add(12, kFirst).has_value());
  model::SeriesTable table;
  std::set<std::string> names;
  for (const auto& [name, value] : round(source, table)) names.insert(name);
  EXPECT_EQ(names, (std::set<std::string>{"proc.cpu.system_ns", "proc.cpu.user_ns",
                                          "proc.faults.major", "proc.faults.minor"}));
}

TEST(ProcessSource, SaysWhatIsAbsentWhyAndForHowMany) {
  const RecordedTree tree;
  ProcessSource source{tree.root()};
  for (const int pid : {11, 12, 13}) {
    write_process(tree, pid);
    ASSERT_TRUE(source.add(pid, kFirst).has_value());
  }
  tree.remove("/proc/12/io");
  tree.write("/proc/13/io", "");
  tree.write("/proc/11/status", "VmSwap:\tx kB\n");
  model::SeriesTable table;
  round(source, table);
  const std::string io =
      ": " + tree.root() + "/proc/12/io: No such file or directory (and 1 more processes)";
  const std::string status = ": /proc/<pid>/status field 'VmSwap' is not a number: 'x'";
  EXPECT_EQ(
      source.absent(),
      (std::vector<std::string>{
          "proc.io.read_bytes" + io, "proc.io.read_chars_bytes" + io, "proc.io.write_bytes" + io,
          "proc.ctx.involuntary" + status, "proc.ctx.voluntary" + status,
          "proc.memory.peak_rss_bytes" + status, "proc.memory.swap_bytes" + status}));
}

TEST(ProcessSource, SamplesMoreProcessesThanItHoldsOpen) {
  const RecordedTree tree;
  ProcessSource source{tree.root()};
  for (int pid = 1; pid <= 100; ++pid) {
    write_process(tree, pid);
    ASSERT_TRUE(source.add(pid, static_cast<model::ProcessId>(pid)).has_value());
  }
  model::SeriesTable table;
  for (int repeat = 0; repeat < 3; ++repeat) {
    std::vector<model::Sample> out;
    source.sample(7, table, out);
    EXPECT_EQ(out.size(), 1300U);
  }
  EXPECT_EQ(source.size(), 100U);
}

TEST(ProcessSource, AccountsForEveryCataloguedSeriesOfARealProcess) {
  std::set<std::string> want;
  for (const model::Metric& metric : model::kMetricCatalogue) {
    if (metric.name.starts_with("proc.")) want.insert(std::string(metric.name));
  }
  want.erase("proc.memory.step_rss_bytes");  // ResidentSource
  ProcessSource source;
  ASSERT_TRUE(source.add(::getpid(), kFirst).has_value());
  model::SeriesTable table;
  std::set<std::string> got;
  for (const auto& [name, value] : round(source, table)) got.insert(name);
  for (const std::string& line : source.absent()) got.insert(line.substr(0, line.find(':')));
  EXPECT_EQ(got, want);
}

}  // namespace
}  // namespace latido::telemetry
