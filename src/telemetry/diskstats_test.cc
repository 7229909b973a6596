#include "telemetry/diskstats.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParseDiskstats, AcceptsEveryKernelLayout) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::vector<DiskCounters> want;
  };
  const std::vector<Case> cases{
      {"empty", "", {}},
      {"14 fields",
       "   8       0 sda 10 0 80 4 20 0 160 9 0 12 13\n",
       {{"sda", 80 * 512, 160 * 512, 12'000'000}}},
      {"20 fields of Linux 5.5",
       " 254 0 vda 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17\n",
       {{"vda", 3 * 512, 7 * 512, 10'000'000}}},
      {"several, partitions and loops too",
       "7 0 loop0 0 0 0 0 0 0 0 0 0 0 0\n259 1 nvme0n1 1 0 8 0 1 0 16 0 0 3 0\n259 2 nvme0n1p1 1 0 "
       "8 "
       "0 1 0 16 0 0 3 0",
       {{"loop0", 0, 0, 0},
        {"nvme0n1", 8 * 512, 16 * 512, 3'000'000},
        {"nvme0n1p1", 8 * 512, 16 * 512, 3'000'000}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<DiskCounters> got{{"old", 1, 1, 1}};
    const auto status = parse_diskstats(c.text, got);
    ASSERT_TRUE(status.has_value()) << status.error().message;
    EXPECT_EQ(got, c.want);
  }
}

TEST(ParseDiskstats, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"two words", "8 0\n", "no field 'name'"},
      {"partition of Linux 2.6.24: four fields", "8 1 sda1 10 80 20 160\n", "'sectors written'"},
      {"letters", "8 0 sda 10 0 8O 4 20 0 160 9 0 12 13\n", "'sectors read'"},
      {"cut", "8 0 sda 10 0 80 4 20 0 160 9 0", "'ms busy'"},
      {"too many bytes", "8 0 sda 10 0 36028797018963968 4 20 0 160 9 0 12", "'sectors read'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<DiskCounters> disks;
    const auto got = parse_diskstats(c.text, disks);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

TEST(DiskNames, TellDisksFromPartitionsAndVirtualDevices) {
  struct Case {
    std::string_view name;
    bool is_virtual;
    bool is_partition;
  };
  const std::vector<Case> cases{
      {"sda", false, false},     {"sda1", false, true},      {"vdb12", false, true},
      {"xvda1", false, true},    {"nvme0n1", false, false},  {"nvme0n1p2", false, true},
      {"mmcblk0", false, false}, {"mmcblk0p1", false, true}, {"nbd3", false, false},
      {"loop0", true, false},    {"ram15", true, false},     {"zram0", true, false},
      {"dm-3", true, false},     {"md127", true, false},     {"sr0", false, false},
      {"", false, false},        {"12", false, false},       {"rama", false, false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(is_virtual_disk(c.name), c.is_virtual);
    EXPECT_EQ(looks_like_partition(c.name), c.is_partition);
  }
}

}  // namespace
}  // namespace latido::telemetry
