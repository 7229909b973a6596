#include "telemetry/disk_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

std::string line_of(const std::string& name) { return "8 0 " + name + " 1 0 2 0 1 0 4 0 0 3 0\n"; }

std::map<std::string, double> values_of(const std::vector<std::string>& names) {
  std::map<std::string, double> values;
  for (const std::string& name : names) {
    values["host.disk.read_bytes[" + name + "]"] = 1024;
    values["host.disk.write_bytes[" + name + "]"] = 2048;
    values["host.disk.busy_ns[" + name + "]"] = 3'000'000;
  }
  return values;
}

TEST(DiskSource, TakesWholeDisksAsSysListsThem) {
  const RecordedTree tree;
  std::string stats;
  for (const char* const name : {"sda", "sda1", "nvme0n1", "nvme0n1p1", "loop0", "ram0", "zram0",
                                 "dm-0", "bcache0", "cciss/c0d0"}) {
    stats += line_of(name);
  }
  tree.write("/proc/diskstats", stats);
  for (const char* const name :
       {"sda", "nvme0n1", "loop0", "ram0", "zram0", "dm-0", "bcache0", "cciss!c0d0"}) {
    tree.make_folder("/sys/block/" + std::string(name) + "/slaves");
  }
  tree.make_folder("/sys/block/bcache0/slaves/sda");
  DiskSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  const auto want = values_of({"sda", "nvme0n1", "cciss/c0d0"});
  EXPECT_EQ(sampled.round(source), want);
  EXPECT_EQ(sampled.round(source), want);
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
}

TEST(DiskSource, GoesByNamesWithoutSys) {
  const RecordedTree tree;
  tree.write("/proc/diskstats",
             line_of("sda") + line_of("sda1") + line_of("nvme0n1p1") + line_of("md0"));
  DiskSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), values_of({"sda"}));
}

TEST(DiskSource, SaysWhyThereIsNothing) {
  const RecordedTree tree;
  DiskSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_TRUE(sampled.round(source).empty());
  ASSERT_EQ(absent_of(source).size(), 3U);
  EXPECT_NE(absent_of(source)[0].find("No such file"), std::string::npos);
  tree.write("/proc/diskstats", line_of("loop0"));
  EXPECT_TRUE(sampled.round(source).empty());
  ASSERT_EQ(absent_of(source).size(), 3U);
  EXPECT_EQ(absent_of(source)[1], "host.disk.read_bytes: no disk is visible");
  tree.write("/proc/diskstats", "8 0 sda x\n");
  EXPECT_TRUE(sampled.round(source).empty());
  ASSERT_EQ(absent_of(source).size(), 3U);
  EXPECT_NE(absent_of(source)[2].find("'sectors read'"), std::string::npos);
}

}  // namespace
}  // namespace latido::telemetry
