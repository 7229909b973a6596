#include "telemetry/vmstat.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParseVmstat, TakesTheSwapCountersWhereTheyExist) {
  struct Case {
    std::string_view name;
    std::string_view text;
    SwapPages want;
  };
  const std::vector<Case> cases{
      {"empty", "", {}},
      {"kernel without swap", "nr_free_pages 12\npgfault 3\n", {}},
      {"both", "nr_free_pages 12\npswpin 5\npswpout 7\npgfault x\n", {5, 7}},
      {"longer names are others", "pswpin_x 5\nxpswpout 7\n", {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_vmstat(c.text);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.want);
  }
}

TEST(ParseVmstat, RejectsAndNamesTheBadField) {
  for (const std::string_view text : {"pswpin\n", "pswpin -1\n", "pswpin 1x\n"}) {
    SCOPED_TRACE(text);
    const auto got = parse_vmstat(text);
    ASSERT_FALSE(got.has_value());
    EXPECT_NE(got.error().message.find("'pswpin'"), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
