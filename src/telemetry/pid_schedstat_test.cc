#include "telemetry/pid_schedstat.h"

#include <gtest/gtest.h>

#include <string_view>

namespace latido::telemetry {
namespace {

TEST(ParsePidSchedstat, TakesTheTimeWithoutACore) {
  const auto got = parse_pid_schedstat("6100000 3504177 12\n");
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value(), PidSchedstat{3504177});
}

TEST(ParsePidSchedstat, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const Case cases[] = {
      {"empty", "", "no field 'run_delay'"},
      {"cut", "6100000", "no field 'run_delay'"},
      {"no number", "1 x 2\n", "'run_delay' is not a number"},
      {"negative", "1 -1 2\n", "'run_delay' is not a number"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pid_schedstat(c.text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
