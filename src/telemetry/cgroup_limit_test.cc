#include "telemetry/cgroup_limit.h"

#include <gtest/gtest.h>

#include <string>

#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

using Resource = CgroupLimit::Resource;
constexpr std::int64_t kSecond = 1'000'000'000;

void write_v2_tree(const RecordedTree& tree) {
  tree.write("/proc/self/cgroup", "0::/job/task\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.make_folder("/sys/fs/cgroup/job/task");
}

TEST(CgroupLimit, TakesTheTightestOfAllLevels) {
  const RecordedTree tree;
  write_v2_tree(tree);
  tree.write("/sys/fs/cgroup/job/cpu.max", "150000 100000\n");
  tree.write("/sys/fs/cgroup/job/task/cpu.max", "max 100000\n");
  tree.write("/sys/fs/cgroup/job/memory.max", "2000\n");
  tree.write("/sys/fs/cgroup/job/task/memory.max", "1000\n");
  const ProcRoot root{tree.root()};
  FileBuffer buffer;
  CgroupLimit cpu{root, Resource::kCpuCores};
  cpu.refresh(buffer);
  EXPECT_EQ(cpu.value(), 1.5);
  EXPECT_EQ(cpu.folder(), "/sys/fs/cgroup/job");
  CgroupLimit memory{root, Resource::kMemoryBytes};
  memory.refresh(buffer);
  EXPECT_EQ(memory.value(), 1000);
  EXPECT_EQ(memory.folder(), "/sys/fs/cgroup/job/task");
}

TEST(CgroupLimit, ReadsVersion1) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "4:memory:/job\n2:cpu,cpuacct:/job\n");
  tree.write("/proc/self/mountinfo",
             "33 31 0:30 / /cg/cpu rw - cgroup cgroup rw,cpu,cpuacct\n"
             "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n");
  tree.write("/cg/cpu/cpu.cfs_quota_us", "-1\n");
  tree.write("/cg/cpu/cpu.cfs_period_us", "100000\n");
  tree.write("/cg/cpu/job/cpu.cfs_quota_us", "400000\n");
  tree.write("/cg/cpu/job/cpu.cfs_period_us", "100000\n");
  tree.write("/cg/memory/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("/cg/memory/job/memory.limit_in_bytes", "1073741824\n");
  const ProcRoot root{tree.root()};
  FileBuffer buffer;
  CgroupLimit cpu{root, Resource::kCpuCores};
  cpu.refresh(buffer);
  EXPECT_EQ(cpu.version(), CgroupVersion::kV1);
  EXPECT_EQ(cpu.value(), 4);
  CgroupLimit memory{root, Resource::kMemoryBytes};
  memory.refresh(buffer);
  EXPECT_EQ(memory.value(), 1073741824);
}

TEST(CgroupLimit, IsEmptyWithoutLimitsAndNamesTheOwnGroup) {
  const RecordedTree tree;
  write_v2_tree(tree);
  tree.write("/sys/fs/cgroup/job/cpu.max", "nonsense\n");
  FileBuffer buffer;
  CgroupLimit cpu{ProcRoot{tree.root()}, Resource::kCpuCores};
  cpu.refresh(buffer);
  EXPECT_EQ(cpu.value(), std::nullopt);
  EXPECT_EQ(cpu.folder(), "/sys/fs/cgroup/job/task");
  EXPECT_EQ(cpu.missing(), "");
}

TEST(CgroupLimit, SaysWhyThereIsNoGroup) {
  const RecordedTree tree;
  FileBuffer buffer;
  CgroupLimit cpu{ProcRoot{tree.root()}, Resource::kCpuCores};
  cpu.refresh(buffer);
  EXPECT_EQ(cpu.value(), std::nullopt);
  EXPECT_EQ(cpu.folder(), "");
  EXPECT_EQ(cpu.missing(), "/proc/self/cgroup: No such file or directory");
}

TEST(CgroupLimit, LooksAgainEveryTenSeconds) {
  const RecordedTree tree;
  write_v2_tree(tree);
  tree.write("/sys/fs/cgroup/job/cpu.max", "100000 100000\n");
  FileBuffer buffer;
  CgroupLimit cpu{ProcRoot{tree.root()}, Resource::kCpuCores};
  cpu.refresh_if_due(0, buffer);
  tree.write("/sys/fs/cgroup/job/cpu.max", "200000 100000\n");
  cpu.refresh_if_due(9 * kSecond, buffer);
  EXPECT_EQ(cpu.value(), 1);
  cpu.refresh_if_due(10 * kSecond, buffer);
  EXPECT_EQ(cpu.value(), 2);
}

}  // namespace
}  // namespace latido::telemetry
