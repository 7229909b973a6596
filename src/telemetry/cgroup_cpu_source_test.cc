#include "telemetry/cgroup_cpu_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

using Values = std::map<std::string, double>;

TEST(CgroupCpuSource, SamplesTheGroupThatSetsTheQuota) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "0::/job/task\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("/sys/fs/cgroup/job/task/cpu.stat", "usage_usec 1\n");
  tree.write("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  tree.write("/sys/fs/cgroup/job/cpu.stat",
             "usage_usec 5\nnr_periods 10\nnr_throttled 4\nthrottled_usec 7\n");
  CgroupCpuSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), (Values{{"cgroup.cpu.limit_cores", 2},
                                           {"cgroup.cpu.used_ns", 5000},
                                           {"cgroup.cpu.periods", 10},
                                           {"cgroup.cpu.throttled_periods", 4},
                                           {"cgroup.cpu.throttled_ns", 7000}}));
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
}

TEST(CgroupCpuSource, SamplesUseAloneWithoutQuota) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "0::/\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("/sys/fs/cgroup/cpu.stat",
             "usage_usec 5\nnr_periods 0\nnr_throttled 0\nthrottled_usec 0\n");
  CgroupCpuSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), (Values{{"cgroup.cpu.used_ns", 5000}}));
  EXPECT_EQ(absent_of(source),
            (std::vector<std::string>{"cgroup.cpu.limit_cores: no group has a CPU quota",
                                      "cgroup.cpu.periods: no group has a CPU quota",
                                      "cgroup.cpu.throttled_ns: no group has a CPU quota",
                                      "cgroup.cpu.throttled_periods: no group has a CPU quota"}));
}

void write_v1_tree(const RecordedTree& tree, std::string_view cpuacct_mount) {
  tree.write("/proc/self/cgroup", "2:cpu:/job\n3:cpuacct:/job\n");
  tree.write("/proc/self/mountinfo",
             "33 31 0:30 / /cg/cpu rw - cgroup cgroup rw,cpu\n34 31 0:31 / " +
                 std::string(cpuacct_mount) + " rw - cgroup cgroup rw,cpuacct\n");
  tree.write("/cg/cpu/job/cpu.cfs_quota_us", "50000\n");
  tree.write("/cg/cpu/job/cpu.cfs_period_us", "100000\n");
  tree.write("/cg/cpu/job/cpu.stat", "nr_periods 10\nnr_throttled 4\nthrottled_time 7\n");
  tree.write(std::string(cpuacct_mount) + "/job/cpuacct.usage", "99\n");
}

TEST(CgroupCpuSource, SamplesVersion1WithCpuacctBesideOrApart) {
  for (const std::string_view mount : {"/cg/cpu", "/cg/cpuacct"}) {
    SCOPED_TRACE(mount);
    const RecordedTree tree;
    write_v1_tree(tree, mount);
    CgroupCpuSource source{ProcRoot{tree.root()}};
    Sampled sampled;
    EXPECT_EQ(sampled.round(source), (Values{{"cgroup.cpu.limit_cores", 0.5},
                                             {"cgroup.cpu.used_ns", 99},
                                             {"cgroup.cpu.periods", 10},
                                             {"cgroup.cpu.throttled_periods", 4},
                                             {"cgroup.cpu.throttled_ns", 7}}));
    EXPECT_EQ(absent_of(source), std::vector<std::string>{});
  }
}

TEST(CgroupCpuSource, FollowsAQuotaThatIsSetLater) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "0::/job\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("/sys/fs/cgroup/job/cpu.stat", "usage_usec 5\n");
  CgroupCpuSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source, 0).count("cgroup.cpu.limit_cores"), 0U);
  tree.write("/sys/fs/cgroup/job/cpu.max", "100000 100000\n");
  EXPECT_EQ(sampled.round(source, 20'000'000'000).at("cgroup.cpu.limit_cores"), 1);
}

TEST(CgroupCpuSource, NamesWhatIsAbsentAndWhy) {
  const RecordedTree tree;
  Sampled sampled;
  CgroupCpuSource none{ProcRoot{tree.root()}};
  EXPECT_EQ(sampled.round(none), Values{});
  EXPECT_EQ(absent_of(none).size(), 5U);

  tree.write("/proc/self/cgroup", "0::/\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("/sys/fs/cgroup/cpu.max", "100000 100000\n");
  tree.write("/sys/fs/cgroup/cpu.stat", "usage_usec five\n");
  CgroupCpuSource broken{ProcRoot{tree.root()}};
  EXPECT_EQ(sampled.round(broken), (Values{{"cgroup.cpu.limit_cores", 1}}));
  const auto lines = absent_of(broken);
  ASSERT_EQ(lines.size(), 4U);
  EXPECT_EQ(lines[0], "cgroup.cpu.used_ns: cgroup field 'usage_usec' is not a number: 'five'");
}

}  // namespace
}  // namespace latido::telemetry
