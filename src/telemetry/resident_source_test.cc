#include "telemetry/resident_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>

#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

using Processes = std::vector<std::pair<pid_t, model::ProcessId>>;

// One round; the values by process.
std::map<std::uint32_t, double> round(ResidentSource& source, model::SeriesTable& table,
                                      const Processes& processes) {
  std::vector<model::Sample> out;
  source.sample(processes, 7, table, out);
  std::map<std::uint32_t, double> values;
  for (const model::Sample& sample : out) {
    EXPECT_EQ(sample.ts_ns, 7);
    values[static_cast<std::uint32_t>(table.all()[model::index_of(sample.series)].process)] =
        sample.value;
  }
  return values;
}

TEST(ResidentSource, GivesThePagesOfEachProcessInBytes) {
  const RecordedTree tree;
  tree.write("/proc/5/statm", "900 10 3 1 0 50 0\n");
  tree.write("/proc/6/statm", "900 20 3 1 0 50 0\n");
  ResidentSource source(tree.root());
  model::SeriesTable table;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  const Processes processes{{5, model::ProcessId{0}}, {6, model::ProcessId{1}}};
  EXPECT_EQ(round(source, table, processes),
            (std::map<std::uint32_t, double>{{0, 10 * page}, {1, 20 * page}}));
}

TEST(ResidentSource, LeavesOutWhatCannotBeRead) {
  const RecordedTree tree;
  tree.write("/proc/5/statm", "0 0 0 0 0 0 0\n");
  tree.write("/proc/6/statm", "x\n");
  ResidentSource source(tree.root());
  model::SeriesTable table;
  const Processes processes{
      {5, model::ProcessId{0}}, {6, model::ProcessId{1}}, {7, model::ProcessId{2}}};
  EXPECT_TRUE(round(source, table, processes).empty());
  EXPECT_TRUE(round(source, table, {}).empty());
}

TEST(ResidentSource, TakesTurnsWhereThereAreMany) {
  const RecordedTree tree;
  Processes processes;
  for (int pid = 1; pid <= 40; ++pid) {
    tree.write("/proc/" + std::to_string(pid) + "/statm", "9 1 0 0 0 0 0\n");
    processes.emplace_back(pid, static_cast<model::ProcessId>(pid));
  }
  ResidentSource source(tree.root());
  model::SeriesTable table;
  std::map<std::uint32_t, int> seen;
  for (int i = 0; i < 5; ++i) {
    const auto values = round(source, table, processes);
    EXPECT_EQ(values.size(), ResidentSource::kMostAtATime);
    for (const auto& [process, value] : values) ++seen[process];
  }
  EXPECT_EQ(seen.size(), 40U);
  for (const auto& [process, times] : seen) EXPECT_EQ(times, 2) << process;
}

TEST(ResidentSource, ReadsThisProcess) {
  ResidentSource source;
  model::SeriesTable table;
  const auto values = round(source, table, {{::getpid(), model::ProcessId{0}}});
  ASSERT_EQ(values.size(), 1U);
  EXPECT_GT(values.at(0), 100'000);
}

TEST(ResidentSource, StartsAnewWhereAPidIsAnotherProcess) {
  const RecordedTree tree;
  tree.write("/proc/5/statm", "900 10 3 1 0 50 0\n");
  ResidentSource source(tree.root());
  model::SeriesTable table;
  EXPECT_TRUE(round(source, table, {{5, model::ProcessId{0}}}).contains(0));
  EXPECT_TRUE(round(source, table, {{5, model::ProcessId{3}}}).contains(3));
}

}  // namespace
}  // namespace latido::telemetry
