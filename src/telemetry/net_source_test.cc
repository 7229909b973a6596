#include "telemetry/net_source.h"

#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "telemetry/recorded_tree.h"
#include "telemetry/sampled.h"

namespace latido::telemetry {
namespace {

using Values = std::map<std::string, double>;

std::string line_of(const std::string& name) {
  return name + ": 5 0 0 0 0 0 0 0 7 0 0 0 0 0 0 0\n";
}

Values values_of(const std::vector<std::string>& names) {
  Values values;
  for (const std::string& name : names) {
    values["host.net.received_bytes[" + name + "]"] = 5;
    values["host.net.sent_bytes[" + name + "]"] = 7;
  }
  return values;
}

TEST(NetSource, CountsHardwareInterfacesOnlyWhereThereAreSome) {
  const RecordedTree tree;
  tree.write("/proc/net/dev", line_of("docker0") + line_of("lo") + line_of("eth0") +
                                  line_of("bond0") + line_of("ib0"));
  tree.make_folder("/sys/class/net/eth0/device");
  tree.make_folder("/sys/class/net/ib0/device");
  tree.make_folder("/sys/class/net/docker0");
  NetSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), values_of({"eth0", "ib0"}));
  EXPECT_EQ(sampled.round(source), values_of({"eth0", "ib0"}));
  EXPECT_EQ(absent_of(source), std::vector<std::string>{});
}

TEST(NetSource, CountsAllButLoInAContainer) {
  const RecordedTree tree;
  tree.write("/proc/net/dev", line_of("lo") + line_of("eth0") + line_of("eth1"));
  NetSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_EQ(sampled.round(source), values_of({"eth0", "eth1"}));
}

TEST(NetSource, SaysWhyThereIsNothing) {
  const RecordedTree tree;
  NetSource source{ProcRoot{tree.root()}};
  Sampled sampled;
  EXPECT_TRUE(sampled.round(source).empty());
  ASSERT_EQ(absent_of(source).size(), 2U);
  EXPECT_NE(absent_of(source)[0].find("No such file"), std::string::npos);
  tree.write("/proc/net/dev", line_of("lo"));
  EXPECT_TRUE(sampled.round(source).empty());
  EXPECT_EQ(absent_of(source),
            (std::vector<std::string>{"host.net.received_bytes: no network interface besides lo",
                                      "host.net.sent_bytes: no network interface besides lo"}));
  tree.write("/proc/net/dev", "eth0: x\n");
  EXPECT_TRUE(sampled.round(source).empty());
  ASSERT_EQ(absent_of(source).size(), 2U);
  EXPECT_NE(absent_of(source)[0].find("'received bytes'"), std::string::npos);
}

}  // namespace
}  // namespace latido::telemetry
