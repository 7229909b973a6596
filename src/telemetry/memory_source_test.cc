#include "telemetry/memory_source.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

TEST(MemorySource, SamplesMemoryAndSwapInBytes) {
  const RecordedTree tree;
  tree.write("/proc/meminfo",
             "MemTotal: 8 kB\nMemAvailable: 4 kB\nSwapTotal: 3 kB\nSwapFree: 1 kB\n");
  tree.write("/proc/vmstat", "pswpin 5\npswpout 7\n");
  MemorySource source{ProcRoot{tree.root()}};
  Sampled sampled;
  const auto page = static_cast<double>(::sysconf(_SC_PAGESIZE));
  EXPECT_EQ(sampled.round(source),
            (std::map<std::string, double>{{"host.memory.total_bytes", 8192},
                                           {"host.memory.available_bytes", 4096},
                                           {"host.swap.used_bytes", 2048},
                                           {"host.swap.in_bytes", 5 * page},
                                           {"host.swap.out_bytes", 7 * page}}));
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
}

TEST(MemorySource, SaysWhatTheKernelDoesNotTell) {
  const RecordedTree tree;
  tree.write("/proc/meminfo", "MemTotal: 8 kB\n");
  tree.write("/proc/vmstat", "nr_free_pages 1\n");
  MemorySource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source),
            (std::map<std::string, double>{{"host.memory.total_bytes", 8192}}));
  EXPECT_EQ(absent_of(source), (std::vector<std::string>{
                                   "host.memory.available_bytes: the kernel does not estimate it",
                                   "host.swap.used_bytes: the kernel has no swap",
                                   "host.swap.in_bytes: the kernel has no swap",
                                   "host.swap.out_bytes: the kernel has no swap",
                               }));
}

TEST(MemorySource, GivesNothingButTheReasonForBadFiles) {
  const RecordedTree tree;
  tree.write("/proc/meminfo", "MemFree: 8 kB\n");
  MemorySource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_TRUE(sampled.round(source).empty());
  const auto lines = absent_of(source);
  ASSERT_EQ(lines.size(), 5U);
  EXPECT_EQ(lines[0], "host.memory.available_bytes: /proc/meminfo has no field 'MemTotal'");
  EXPECT_NE(lines[4].find("No such file"), std::string::npos) << lines[4];
}

}  // namespace
}  // namespace latido::telemetry
