#include "telemetry/pressure_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

using Values = std::map<std::string, double>;

TEST(PressureSource, SamplesTotalsOfAllThree) {
  const RecordedTree tree;
  tree.write("/proc/pressure/cpu", "some avg10=0.00 total=1\nfull avg10=0.00 total=0\n");
  tree.write("/proc/pressure/io", "some avg10=0.00 total=2\nfull avg10=0.00 total=3\n");
  tree.write("/proc/pressure/memory", "some avg10=0.00 total=4\nfull avg10=0.00 total=5\n");
  PressureSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), (Values{{"host.psi.cpu.some_ns", 1000},
                                           {"host.psi.io.some_ns", 2000},
                                           {"host.psi.io.full_ns", 3000},
                                           {"host.psi.memory.some_ns", 4000},
                                           {"host.psi.memory.full_ns", 5000}}));
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
}

TEST(PressureSource, IsAbsentFileByFile) {
  const RecordedTree tree;
  tree.write("/proc/pressure/cpu", "some avg10=0.00 total=1\n");
  tree.write("/proc/pressure/io", "nonsense\n");
  PressureSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), (Values{{"host.psi.cpu.some_ns", 1000}}));
  const std::string io = ": /proc/pressure/io has no field 'some'";
  const std::string memory =
      ": " + tree.root() + "/proc/pressure/memory: No such file or directory";
  EXPECT_EQ(absent_of(source),
            (std::vector<std::string>{"host.psi.io.full_ns" + io, "host.psi.io.some_ns" + io,
                                      "host.psi.memory.full_ns" + memory,
                                      "host.psi.memory.some_ns" + memory}));
}

}  // namespace
}  // namespace latido::telemetry
