#include "telemetry/cgroup_files.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(FindCgroupPath, KnowsBothVersions) {
  constexpr std::string_view kHybrid =
      "9:name=systemd:/\n4:memory:/job:7/a\n2:cpu,cpuacct:/slice\n0::/user.slice\n";
  EXPECT_EQ(find_cgroup_path(kHybrid, "memory"), "/job:7/a");
  EXPECT_EQ(find_cgroup_path(kHybrid, "cpu"), "/slice");
  EXPECT_EQ(find_cgroup_path(kHybrid, "cpuacct"), "/slice");
  EXPECT_EQ(find_cgroup_path(kHybrid, ""), "/user.slice");
  EXPECT_EQ(find_cgroup_path(kHybrid, "acct"), std::nullopt);
  EXPECT_EQ(find_cgroup_path("", ""), std::nullopt);
  EXPECT_EQ(find_cgroup_path("0::relative\n", ""), std::nullopt);
  EXPECT_EQ(find_cgroup_path("nonsense", "cpu"), std::nullopt);
}

constexpr std::string_view kMountinfo =
    "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw,discard\n"
    "31 23 0:28 / /sys/fs/cgroup rw,relatime - tmpfs tmpfs rw,mode=755\n"
    "32 31 0:29 /docker/ab /sys/fs/cgroup/cpu,cpuacct rw shared:9 master:2 - cgroup cgroup "
    "rw,cpu,cpuacct\n"
    "35 31 0:32 / /sys/fs/cgroup/my\\040memory rw - cgroup cgroup rw,memory\n"
    "40 31 0:38 /other /run/other rw - cgroup2 cgroup2 rw\n"
    "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n"
    "42 31 broken line\n";

TEST(FindCgroupMount, TakesTheOneThatShowsTheGroup) {
  struct Case {
    std::string_view name;
    std::string_view controller;
    std::string_view path;
    std::optional<CgroupMount> want;
  };
  const std::vector<Case> cases{
      {"shared version 1 hierarchy", "cpuacct", "/docker/ab/sub",
       CgroupMount{"/docker/ab", "/sys/fs/cgroup/cpu,cpuacct"}},
      {"escaped mount point", "memory", "/x", CgroupMount{"/", "/sys/fs/cgroup/my memory"}},
      {"version 2, second mount fits", "", "/user.slice",
       CgroupMount{"/", "/sys/fs/cgroup/unified"}},
      {"version 2, first mount fits", "", "/other/sub", CgroupMount{"/other", "/run/other"}},
      {"a longer name is another group", "", "/otherwise",
       CgroupMount{"/", "/sys/fs/cgroup/unified"}},
      {"none fits: the first", "cpu", "/", CgroupMount{"/docker/ab", "/sys/fs/cgroup/cpu,cpuacct"}},
      {"not mounted", "blkio", "/", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(find_cgroup_mount(kMountinfo, c.controller, c.path), c.want);
  }
}

TEST(PathBelowMount, TakesTheMountRootAway) {
  struct Case {
    std::string_view path;
    std::string_view root;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"/a/b", "/", "/a/b"},
      {"/", "/", ""},
      {"/docker/ab", "/docker/ab", ""},
      {"/docker/ab/c", "/docker/ab", "/c"},
      {"/docker/abc", "/docker/ab", ""},
      {"/", "/docker/ab", ""},
      {"/../up", "/", ""},
      {"/a/../../b", "/a", ""},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.path);
    EXPECT_EQ(path_below_mount(c.path, c.root), c.want);
  }
}

TEST(CgroupCpuLimit, ReadsBothVersions) {
  const auto cores = [](const Result<std::optional<double>>& got) {
    return got.has_value() ? got.value().value_or(-1) : -2;
  };
  EXPECT_EQ(cores(parse_cpu_max("200000 100000\n")), 2);
  EXPECT_EQ(cores(parse_cpu_max("150000 100000\n")), 1.5);
  EXPECT_EQ(cores(parse_cpu_max("max 100000\n")), -1);
  EXPECT_EQ(cores(parse_cpu_quota("50000\n", "100000\n")), 0.5);
  EXPECT_EQ(cores(parse_cpu_quota("-1\n", "100000\n")), -1);
  for (const std::string_view bad :
       {"", "200000", "200000 0", "0 100000", "-5 100000", "x y", "1 -1"}) {
    SCOPED_TRACE(bad);
    EXPECT_EQ(cores(parse_cpu_max(bad)), -2);
  }
  EXPECT_EQ(cores(parse_cpu_quota("x", "100000")), -2);
  EXPECT_EQ(cores(parse_cpu_quota("50000", "0")), -2);
}

TEST(ParseCgroupCpuStat, AcceptsBothVersions) {
  struct Case {
    std::string_view name;
    std::string_view text;
    CgroupCpu want;
  };
  const std::vector<Case> cases{
      {"empty", "", {}},
      {"version 2 without quota", "usage_usec 7\nuser_usec 5\nsystem_usec 2\n", {7000, {}, {}, {}}},
      {"version 2",
       "usage_usec 7\nnr_periods 4\nnr_throttled 3\nthrottled_usec 2\nnr_bursts 0\n",
       {7000, 4, 3, 2000}},
      {"version 1", "nr_periods 4\nnr_throttled 3\nthrottled_time 2\n", {{}, 4, 3, 2}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_cgroup_cpu_stat(c.text);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.want);
  }
  for (const std::string_view bad :
       {"usage_usec\n", "nr_periods -1\n", "throttled_usec 18446744073709551615\n"}) {
    SCOPED_TRACE(bad);
    EXPECT_FALSE(parse_cgroup_cpu_stat(bad).has_value());
  }
}

TEST(ParseMemoryLimit, KnowsBothWaysToSayNone) {
  const auto limit = [](std::string_view text) {
    const auto got = parse_memory_limit(text);
    EXPECT_TRUE(got.has_value());
    return got.value();
  };
  EXPECT_EQ(limit("1073741824\n"), 1073741824U);
  EXPECT_EQ(limit("max\n"), std::nullopt);
  EXPECT_EQ(limit("9223372036854771712\n"), std::nullopt);
  EXPECT_EQ(limit("9223372036854710272\n"), std::nullopt);  // 64 KiB pages
  for (const std::string_view bad : {"", "-1", "1G", "maximum"}) {
    SCOPED_TRACE(bad);
    EXPECT_FALSE(parse_memory_limit(bad).has_value());
  }
}

TEST(FindInactiveFile, PrefersTheSumOverTheGroupsInside) {
  EXPECT_EQ(find_inactive_file_bytes("anon 5\ninactive_file 7\n"), 7U);
  EXPECT_EQ(find_inactive_file_bytes("inactive_file 7\ntotal_inactive_file 9\n"), 9U);
  EXPECT_EQ(find_inactive_file_bytes("anon 5\n"), 0U);
  EXPECT_EQ(find_inactive_file_bytes("inactive_file x\n"), 0U);
}

}  // namespace
}  // namespace latido::telemetry
