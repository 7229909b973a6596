#include "telemetry/cpu_stat.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParseCpuStat, AcceptsEveryKernelLayout) {
  struct Case {
    std::string_view name;
    std::string_view text;
    CpuTicks want;
    std::vector<CoreTicks> want_cores;
  };
  const std::vector<Case> cases{
      {"four fields of old kernels", "cpu 1 2 3 4", {1, 2, 3, 4}, {}},
      {"all fields, guests ignored", "cpu  1 2 3 4 5 6 7 8 9 10\n", {1, 2, 3, 4, 5, 6, 7, 8}, {}},
      {"cores with a gap, other lines ignored",
       "cpu  3 0 0 0 0 0 0 0 0 0\ncpu0 1 0 0 0 0 0 0 0 0 0\ncpu3 2 0 0 0 0 0 0 0 0 0\n"
       "intr 5 x y\nctxt 1\ncpuidle bad\n",
       {3},
       {{0, {1}}, {3, {2}}}},
      {"largest value", "cpu 18446744073709551615 0 0 0", {18446744073709551615U}, {}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<CoreTicks> cores{{9, {}}};
    const auto got = parse_cpu_stat(c.text, cores);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.want);
    EXPECT_EQ(cores, c.want_cores);
  }
}

TEST(ParseCpuStat, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"empty", "", "no field 'cpu'"},
      {"cores without the sum", "cpu0 1 2 3 4 5\n", "no field 'cpu'"},
      {"too short", "cpu 1 2 3", "'idle'"},
      {"negative", "cpu 1 -2 3 4 5", "'nice'"},
      {"trailing letters", "cpu 1 2 3x 4 5", "'system'"},
      {"bad late field", "cpu 1 2 3 4 5 6 7 eight", "'steal'"},
      {"overflow", "cpu 18446744073709551616 0 0 0 0", "'user'"},
      {"core without number", "cpu 1 2 3 4\ncpux 1 2 3 4", "'core'"},
      {"core beyond every kernel", "cpu 1 2 3 4\ncpu8192 1 2 3 4", "'core'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::vector<CoreTicks> cores;
    const auto got = parse_cpu_stat(c.text, cores);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
