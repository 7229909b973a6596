#include "telemetry/pressure.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParsePressure, AcceptsEveryKernelLayout) {
  struct Case {
    std::string_view name;
    std::string_view text;
    Pressure want;
  };
  const std::vector<Case> cases{
      {"cpu before Linux 5.13", "some avg10=0.00 avg60=0.00 avg300=0.00 total=12\n", {12'000, {}}},
      {"some and full",
       "some avg10=1.00 avg60=0.00 avg300=0.00 total=12\nfull avg10=0.00 avg60=0.00 avg300=0.00 "
       "total=3\n",
       {12'000, 3'000}},
      {"a kind we do not know", "some total=1\nmost total=x\n", {1'000, {}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pressure(c.text, "io");
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.want);
  }
}

TEST(ParsePressure, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"empty", "", "io has no field 'some'"},
      {"full only", "full total=1\n", "io has no field 'some'"},
      {"no total", "some avg10=0.00\n", "io has no field 'some'"},
      {"bad total", "some total=1.5\n", "'1.5'"},
      {"negative", "some total=1\nfull total=-1\n", "'full'"},
      {"too long", "some total=18446744073709551615\n", "'some'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pressure(c.text, "io");
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
