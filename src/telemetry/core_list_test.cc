#include "telemetry/core_list.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(CountCommonCores, IntersectsKernelLists) {
  struct Case {
    std::string_view name;
    std::string_view list;
    std::string_view other;
    std::optional<std::uint32_t> want;
  };
  const std::vector<Case> cases{
      {"one core", "0", "0\n", 1},
      {"ranges", "0-3,8,10-11", "0-1,8-15", 5},
      {"nothing in common", "0-3", "4-7", 0},
      {"empty", "", "0", 0},
      {"all that a kernel can have", "0-8191", "0-8191", 8192},
      {"more than that", "0-8192", "0", std::nullopt},
      {"backwards", "3-0", "0", std::nullopt},
      {"letters", "0-x", "0", std::nullopt},
      {"open range", "-3", "0", std::nullopt},
      {"second list is bad", "0", "0;1", std::nullopt},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(count_common_cores(c.list, c.other), c.want);
  }
}

}  // namespace
}  // namespace latido::telemetry
