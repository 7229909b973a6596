#include "telemetry/machine.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "telemetry/recorded_tree.h"

namespace latido::telemetry {
namespace {

using Variables = std::map<std::string, std::string>;

model::Environment read(const RecordedTree& tree, const Variables& variables = {}) {
  return read_environment(tree.root(), [&variables](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? std::string() : found->second;
  });
}

void write_cores(const RecordedTree& tree, std::string_view allowed, std::string_view online) {
  tree.write("/proc/self/status", "Name:\tx\nCpus_allowed_list:\t" + std::string(allowed) + "\n");
  tree.write("/sys/devices/system/cpu/online", online);
}

void write_quota(const RecordedTree& tree, std::string_view cpu_max) {
  tree.write("/proc/self/cgroup", "0::/job\n");
  tree.write("/proc/self/mountinfo", "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n");
  tree.write("/sys/fs/cgroup/job/cpu.max", cpu_max);
}

TEST(ReadEnvironment, DescribesAMachine) {
  const RecordedTree tree;
  tree.write("/proc/sys/kernel/hostname", "node7\n");
  tree.write("/proc/sys/kernel/osrelease", "6.1.0-13-amd64\n");
  tree.write("/etc/os-release",
             "NAME=\"Debian\"\nPRETTY_NAME=\"Debian GNU/Linux 12 (bookworm)\"\n");
  tree.write(
      "/proc/cpuinfo",
      "processor\t: 0\nmodel name\t: AMD EPYC 7763\n\nprocessor\t: 1\nmodel name\t: other\n");
  tree.write("/proc/meminfo", "MemTotal: 1024 kB\n");
  write_cores(tree, "0-7", "0-7\n");
  model::Environment want;
  want.host = "node7";
  want.os = "Debian GNU/Linux 12 (bookworm)";
  want.kernel = "6.1.0-13-amd64";
  want.cpu = "AMD EPYC 7763";
  want.cores = 8;
  want.memory_bytes = std::uint64_t{1} << 20;
  EXPECT_EQ(read(tree), want);
}

TEST(ReadEnvironment, LeavesEmptyWhatCannotBeRead) {
  const RecordedTree tree;
  EXPECT_EQ(read(tree), model::Environment{});
}

TEST(ReadEnvironment, ReadsEveryFormOfOsAndCpu) {
  const RecordedTree tree;
  const auto os = [&tree](std::string_view text) {
    tree.write("/usr/lib/os-release", text);
    return read(tree).os;
  };
  EXPECT_EQ(os("PRETTY_NAME='Alpine 3'\n"), "Alpine 3");
  EXPECT_EQ(os("PRETTY_NAME=Void\n"), "Void");
  EXPECT_EQ(os("PRETTY_NAME=\"\n"), "\"");
  EXPECT_EQ(os("NAME=x\n"), "");
  EXPECT_EQ(os("PRETTY_NAME=" + std::string(10'000, 'x')).size(), 199U + std::string("…").size());
  const auto cpu = [&tree](std::string_view text) {
    tree.write("/proc/cpuinfo", text);
    return read(tree).cpu;
  };
  EXPECT_EQ(cpu("CPU implementer\t: 0x41\nCPU part\t: 0xd4f\n"), "Arm 0x41 part 0xd4f");
  EXPECT_EQ(cpu("nonsense\n"), "");
}

TEST(ReadEnvironment, CountsOnlyUsableCores) {
  struct Case {
    std::string_view name;
    std::string_view allowed;
    std::string_view online;
    std::string_view cpu_max;
    std::uint32_t want;
  };
  const std::vector<Case> cases{
      {"affinity", "2-3", "0-7", "max 100000", 2},
      {"mask names cores that are not there", "0-255", "0-7", "max 100000", 8},
      {"quota below the mask", "0-7", "0-7", "200000 100000", 2},
      {"part of a core is rounded up", "0-7", "0-7", "150000 100000", 2},
      {"less than one core", "0-7", "0-7", "1000 100000", 1},
      {"quota above the mask", "0-1", "0-7", "900000 100000", 2},
      {"absurd quota", "0-1", "0-7", "9223372036854775807 1", 2},
      {"no list of online cores", "0-3", "", "max 100000", 4},
      {"no affinity", "", "0-3", "max 100000", 4},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const RecordedTree tree;
    write_cores(tree, c.allowed, c.online);
    write_quota(tree, c.cpu_max);
    EXPECT_EQ(read(tree).cores, c.want);
  }
  const RecordedTree tree;
  tree.write("/proc/stat", "cpu 1 2 3 4\ncpu0 1 2 3 4\ncpu1 1 2 3 4\n");
  EXPECT_EQ(read(tree).cores, 2U);
}

TEST(ReadEnvironment, AppliesTheMemoryLimit) {
  const RecordedTree tree;
  tree.write("/proc/meminfo", "MemTotal: 1024 kB\n");
  write_quota(tree, "max 100000");
  tree.write("/sys/fs/cgroup/job/memory.max", "4096\n");
  EXPECT_EQ(read(tree).memory_bytes, 4096U);
  tree.write("/sys/fs/cgroup/job/memory.max", "1099511627776\n");
  EXPECT_EQ(read(tree).memory_bytes, std::uint64_t{1} << 20);
}

TEST(ReadEnvironment, RecognisesContainers) {
  const RecordedTree plain;
  EXPECT_EQ(read(plain).container, "");
  EXPECT_EQ(read(plain, {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}).container, "kubernetes");
  EXPECT_EQ(read(plain, {{"APPTAINER_NAME", "x.sif"}}).container, "apptainer");
  EXPECT_EQ(read(plain, {{"SINGULARITY_NAME", "x.sif"}}).container, "singularity");
  EXPECT_EQ(read(plain, {{"container", "lxc"}}).container, "lxc");
  const RecordedTree docker;
  docker.write("/.dockerenv", "");
  docker.write("/proc/1/cgroup", "0::/\n");
  EXPECT_EQ(read(docker).container, "docker");
  EXPECT_EQ(read(docker, {{"KUBERNETES_SERVICE_HOST", "10.0.0.1"}}).container, "kubernetes");
  const RecordedTree podman;
  podman.write("/run/.containerenv", "");
  EXPECT_EQ(read(podman).container, "podman");
}

TEST(ReadEnvironment, NamesTheJob) {
  const RecordedTree tree;
  EXPECT_EQ(read(tree).job, "");
  EXPECT_EQ(read(tree, {{"SLURM_JOB_ID", "8812734"}}).job, "slurm 8812734");
  EXPECT_EQ(read(tree, {{"PBS_JOBID", "12.head"}}).job, "pbs 12.head");
  EXPECT_EQ(read(tree, {{"JOB_ID", "7"}}).job, "");
  EXPECT_EQ(read(tree, {{"JOB_ID", "7"}, {"SGE_ROOT", "/sge"}}).job, "sge 7");
}

TEST(ReadEnvironment, DescribesThisMachine) {
  const model::Environment here = read_environment();
  EXPECT_FALSE(here.host.empty());
  EXPECT_FALSE(here.kernel.empty());
  EXPECT_GE(here.cores, 1U);
  EXPECT_GT(here.memory_bytes, 0U);
}

TEST(ContainerOfCgroup, KnowsTheEnginesPaths) {
  struct Case {
    std::string_view text;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"0::/\n", ""},
      {"0::/init.scope\n", ""},
      {"4:memory:/docker/0123\n", "docker"},
      {"0::/system.slice/docker-0123.scope\n", "docker"},
      {"0::/kubepods.slice/kubepods-besteffort.slice/cri-containerd-01.scope\n", "kubernetes"},
      {"0::/machine.slice/libpod-0123.scope\n", "podman"},
      {"0::/lxc.payload.web\n", "lxc"},
      {"4:memory:/lxc/web\n", "lxc"},
      {"4:memory:/containerd/0123\n", "containerd"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(container_of_cgroup(c.text), c.want);
  }
}

}  // namespace
}  // namespace latido::telemetry
