#include "telemetry/meminfo.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParseMeminfo, AcceptsEveryKernelLayout) {
  struct Case {
    std::string_view name;
    std::string_view text;
    Meminfo want;
  };
  const std::vector<Case> cases{
      {"total only", "MemTotal:       2 kB\n", {2048, std::nullopt, std::nullopt}},
      {"all, in any order, others ignored",
       "SwapFree: 1 kB\nMemAvailable:  3 kB\nHugePages_Total:    0\nMemTotal: 4 kB\nSwapTotal: 2 "
       "kB\nMemFree: x kB\n",
       {4096, 3072, 1024}},
      {"no swap device", "MemTotal: 4 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB", {4096, {}, 0}},
      {"free above total", "MemTotal: 4 kB\nSwapTotal: 1 kB\nSwapFree: 2 kB", {4096, {}, 0}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_meminfo(c.text);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.want);
  }
}

TEST(ParseMeminfo, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"empty", "", "no field 'MemTotal'"},
      {"without total", "MemAvailable: 3 kB\n", "no field 'MemTotal'"},
      {"no number", "MemTotal: kB\n", "'MemTotal'"},
      {"negative", "MemTotal: -4 kB\n", "'MemTotal'"},
      {"too many bytes", "MemTotal: 18014398509481984 kB\n", "'MemTotal'"},
      {"bad swap", "MemTotal: 4 kB\nSwapFree: 1.5 kB\n", "'SwapFree'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_meminfo(c.text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
