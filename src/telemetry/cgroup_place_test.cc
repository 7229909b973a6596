#include "telemetry/cgroup_place.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kV2Mount = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";

TEST(LocateCgroup, ListsOwnGroupAndThoseAroundIt) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "0::/user.slice/a.scope\n");
  tree.write("/proc/self/mountinfo", kV2Mount);
  tree.make_folder("/sys/fs/cgroup/user.slice/a.scope");
  auto place = locate_cgroup(ProcRoot{tree.root()}, "memory");
  ASSERT_TRUE(place.has_value()) << place.error().message;
  EXPECT_EQ(place.value().version, CgroupVersion::kV2);
  EXPECT_EQ(place.value().folders,
            (std::vector<std::string>{"/sys/fs/cgroup/user.slice/a.scope",
                                      "/sys/fs/cgroup/user.slice", "/sys/fs/cgroup"}));
}

TEST(LocateCgroup, TakesTheHierarchyThatHasTheController) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "4:memory:/job\n0::/\n");
  tree.write("/proc/self/mountinfo",
             std::string(kV2Mount) + "35 31 0:32 / /cg/memory rw - cgroup cgroup rw,memory\n");
  tree.make_folder("/cg/memory/job");
  const ProcRoot root{tree.root()};
  auto memory = locate_cgroup(root, "memory");
  ASSERT_TRUE(memory.has_value()) << memory.error().message;
  EXPECT_EQ(memory.value().version, CgroupVersion::kV1);
  EXPECT_EQ(memory.value().folders, (std::vector<std::string>{"/cg/memory/job", "/cg/memory"}));
  auto cpu = locate_cgroup(root, "cpu");
  ASSERT_TRUE(cpu.has_value()) << cpu.error().message;
  EXPECT_EQ(cpu.value().version, CgroupVersion::kV2);
  EXPECT_EQ(cpu.value().folders, std::vector<std::string>{"/sys/fs/cgroup"});
}

TEST(LocateCgroup, FallsBackToTheMountPointWhereTheOwnPathIsNotVisible) {
  const RecordedTree tree;
  tree.write("/proc/self/cgroup", "0::/docker/ab\n");
  tree.write("/proc/self/mountinfo", kV2Mount);
  auto place = locate_cgroup(ProcRoot{tree.root()}, "cpu");
  ASSERT_TRUE(place.has_value()) << place.error().message;
  EXPECT_EQ(place.value().folders, std::vector<std::string>{"/sys/fs/cgroup"});
}

TEST(LocateCgroup, SaysWhatIsMissing) {
  const RecordedTree tree;
  const ProcRoot root{tree.root()};
  const auto message = [&root] {
    const auto place = locate_cgroup(root, "cpu");
    return place.has_value() ? "" : place.error().message;
  };
  EXPECT_EQ(message(), "/proc/self/cgroup: No such file or directory");
  tree.write("/proc/self/cgroup", "\n");
  EXPECT_EQ(message(), "/proc/self/cgroup names no control group");
  tree.write("/proc/self/cgroup", "0::/\n");
  EXPECT_EQ(message(), "/proc/self/mountinfo: No such file or directory");
  tree.write("/proc/self/mountinfo", "27 1 254:0 / / rw - ext4 /dev/vda rw\n");
  EXPECT_EQ(message(), "the control groups are not mounted");
}

TEST(LocateCgroup, StopsSearchingAnAbsurdlyDeepPath) {
  const RecordedTree tree;
  std::string path;
  for (int i = 0; i < 200; ++i) path += "/a";
  tree.write("/proc/self/cgroup", "0::" + path + "\n");
  tree.write("/proc/self/mountinfo", kV2Mount);
  tree.make_folder("/sys/fs/cgroup" + path);
  auto place = locate_cgroup(ProcRoot{tree.root()}, "cpu");
  ASSERT_TRUE(place.has_value()) << place.error().message;
  EXPECT_EQ(place.value().folders.size(), 65U);
}

}  // namespace
}  // namespace latido::telemetry
