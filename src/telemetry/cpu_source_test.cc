#include "telemetry/cpu_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/clock_ticks.h"
#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

double ticks(double count) { return count * static_cast<double>(ns_per_tick()); }

TEST(CpuSource, SplitsTheMachinesTimeAndNamesCores) {
  const RecordedTree tree;
  tree.write("/proc/stat",
             "cpu 10 1 5 70 3 2 1 8 9 9\ncpu0 4 1 2 30 1 1 1 4\ncpu2 6 0 3 40 2 1 0 4\n");
  CpuSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), (std::map<std::string, double>{
                                       {"host.cpu.user_ns", ticks(11)},
                                       {"host.cpu.system_ns", ticks(8)},
                                       {"host.cpu.idle_ns", ticks(70)},
                                       {"host.cpu.iowait_ns", ticks(3)},
                                       {"host.cpu.steal_ns", ticks(8)},
                                       {"host.core.busy_ns[0]", ticks(9)},
                                       {"host.core.busy_ns[2]", ticks(10)},
                                   }));
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
}

TEST(CpuSource, NeverLetsIdleOrIowaitFall) {
  const RecordedTree tree;
  CpuSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  tree.write("/proc/stat", "cpu 0 0 0 70 5\n");
  sampled.round(source);
  tree.write("/proc/stat", "cpu 0 0 0 69 4\n");
  auto values = sampled.round(source);
  EXPECT_EQ(values.at("host.cpu.idle_ns"), ticks(70));
  EXPECT_EQ(values.at("host.cpu.iowait_ns"), ticks(5));
  tree.write("/proc/stat", "cpu 0 0 0 72 6\n");
  values = sampled.round(source);
  EXPECT_EQ(values.at("host.cpu.idle_ns"), ticks(72));
  EXPECT_EQ(values.at("host.cpu.iowait_ns"), ticks(6));
}

TEST(CpuSource, GivesNothingButTheReasonForABadFile) {
  const RecordedTree tree;
  tree.write("/proc/stat", "cpu 1 x\n");
  CpuSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_TRUE(sampled.round(source).empty());
  const auto lines = absent_of(source);
  ASSERT_EQ(lines.size(), 6U);
  EXPECT_EQ(lines[5], "host.cpu.user_ns: /proc/stat field 'nice' is not a number: 'x'");
}

}  // namespace
}  // namespace latido::telemetry
