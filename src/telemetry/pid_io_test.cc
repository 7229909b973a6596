#include "telemetry/pid_io.h"

#include <gtest/gtest.h>

#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(ParsePidIo, TakesDeviceBytesAndAllReads) {
  const auto got = parse_pid_io(
      "rchar: 8676\nwchar: 1700\nsyscr: 14\nsyscw: 2\nread_bytes: 4096\nwrite_bytes: 8192\n"
      "cancelled_write_bytes: 1\n");
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value(), (PidIo{8676, 4096, 8192}));
}

TEST(ParsePidIo, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"empty", "", "no field 'rchar'"},
      {"kernel without device accounting", "rchar: 1\nwchar: 2\n", "no field 'read_bytes'"},
      {"no number", "rchar: \nread_bytes: 1\nwrite_bytes: 1\n", "'rchar' is not a number"},
      {"negative", "rchar: 1\nread_bytes: -1\nwrite_bytes: 1\n", "'read_bytes' is not a number"},
      {"cut", "rchar: 1\nread_bytes: 1\nwrite_byt", "no field 'write_bytes'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pid_io(c.text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
