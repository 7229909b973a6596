#include "telemetry/cgroup_memory_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

using Values = std::map<std::string, double>;

void write_v2_place(const RecordedTree& tree) {
  tree.write("/proc/self/cgroup", "0::/job/task\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.make_folder("/sys/fs/cgroup/job/task");
}

TEST(CgroupMemorySource, LeavesIdlePageCacheOut) {
  const RecordedTree tree;
  write_v2_place(tree);
  tree.write("/sys/fs/cgroup/job/memory.max", "1000\n");
  tree.write("/sys/fs/cgroup/job/memory.current", "900\n");
  tree.write("/sys/fs/cgroup/job/memory.stat", "anon 100\ninactive_file 700\n");
  CgroupMemorySource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source),
            (Values{{"cgroup.memory.limit_bytes", 1000}, {"cgroup.memory.used_bytes", 200}}));
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
  tree.write("/sys/fs/cgroup/job/memory.stat", "inactive_file 901\n");
  EXPECT_EQ(sampled.round(source).at("cgroup.memory.used_bytes"), 0);
}

TEST(CgroupMemorySource, SamplesVersion1WithoutLimitFromTheOwnGroup) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "4:memory:/job\n");
  tree.write("/proc/self/mountinfo", "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n");
  tree.write("/cg/memory/job/memory.limit_in_bytes", "9223372036854771712\n");
  tree.write("/cg/memory/job/memory.usage_in_bytes", "900\n");
  CgroupMemorySource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), (Values{{"cgroup.memory.used_bytes", 900}}));
  EXPECT_EQ(absent_of(source),
            std::vector<std::string>{"cgroup.memory.limit_bytes: no group has a memory limit"});
}

TEST(CgroupMemorySource, NamesWhatIsAbsentAndWhy) {
  const RecordedTree tree;
  Sampled sampled;
  CgroupMemorySource none{ProcRoot{tree.root()}};
  EXPECT_EQ(sampled.round(none), Values{});
  EXPECT_EQ(absent_of(none),
            (std::vector<std::string>{
                "cgroup.memory.limit_bytes: /proc/self/cgroup: No such file or directory",
                "cgroup.memory.used_bytes: /proc/self/cgroup: No such file or directory"}));

  write_v2_place(tree);  // as in the root group: no memory.current
  CgroupMemorySource unlimited{ProcRoot{tree.root()}};
  EXPECT_EQ(sampled.round(unlimited), Values{});
  EXPECT_EQ(absent_of(unlimited),
            (std::vector<std::string>{"cgroup.memory.limit_bytes: no group has a memory limit",
                                      "cgroup.memory.used_bytes: " + tree.root() +
                                          "/sys/fs/cgroup/job/task/memory.current: No such file "
                                          "or directory"}));
}

}  // namespace
}  // namespace latido::telemetry
