#include "telemetry/netdev.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

const std::string kHeading =
    "Inter-|   Receive                                                |  Transmit\n"
    " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop "
    "fifo colls carrier compressed\n";

TEST(ParseNetdev, AcceptsEveryKernelLayout) {
  struct Case {
    std::string_view name;
    std::string text;
    std::vector<InterfaceCounters> want;
  };
  const std::vector<Case> cases{
      {"empty", "", {}},
      {"headings only", kHeading, {}},
      {"two interfaces",
       kHeading +
           "    lo:    3193      29    0    0    0     0          0         0     3194      29 "
           "   0    0    0     0       0          0\n  eth0: 62986180 1496 0 0 0 0 0 0 102718 "
           "970 0 0 0 0 0 0\n",
       {{"lo", 3193, 3194}, {"eth0", 62986180, 102718}}},
      {"no blank behind the colon", "eth0:1 2 3 4 5 6 7 8 9 10\n", {{"eth0", 1, 9}}},
      {"alias with a colon", "eth0:1: 1 2 3 4 5 6 7 8 9 10\n", {{"eth0:1", 1, 9}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<InterfaceCounters> got{{"old", 1, 1}};
    const auto status = parse_netdev(c.text, got);
    ASSERT_TRUE(status.has_value()) << status.error().message;
    EXPECT_EQ(got, c.want);
  }
}

TEST(ParseNetdev, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"no colon", "eth0 1 2 3\n", "'interface'"},
      {"no name", " : 1 2 3\n", "'interface'"},
      {"negative", "eth0: -1 2 3 4 5 6 7 8 9\n", "'received bytes'"},
      {"cut", "eth0: 1 2 3 4 5 6 7 8", "'sent bytes'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<InterfaceCounters> interfaces;
    const auto got = parse_netdev(c.text, interfaces);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
