#include "telemetry/pid_stat.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace latido::telemetry {
namespace {

// Fields 5 to 52 of a recorded file; 14 = 31, 15 = 7, 20 = 4, 22 = 5000, 24 = 363, 48 = 77.
const std::string kTail =
    " 6797 3325 0 -1 4194304 100 0 9 0 31 7 0 0 20 0 4 0 5000 3133440 363 "
    "18446744073709551615 1 2 3 0 0 0 0 0 0 0 0 0 17 0 0 0 0 0 0 4 5 6 77 8 9 10 0\n";

TEST(ParsePidStat, AcceptsEveryName) {
  for (const std::string_view name :
       {"python", "my prog", "a) S 1 (b", ")", "((", "", "tab\there", "new\nline", "\xff\xfe"}) {
    SCOPED_TRACE(name);
    const std::string text = "6811 (" + std::string(name) + ") R 6790" + kTail;
    const auto got = parse_pid_stat(text);
    ASSERT_TRUE(got.has_value()) << got.error().message;
    const PidStat want{6811, name, 'R', 6790, 100, 9, 31, 7, 4, 5000, 363, 77};
    EXPECT_EQ(got.value(), want);
  }
}

TEST(ParsePidStat, AcceptsAKernelWithoutAddresses) {
  const auto got =
      parse_pid_stat("1 (init) S 0 1 1 0 -1 0 5 0 6 0 7 8 0 0 20 0 1 0 9 1000 11 0 0 0");
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value().rss_pages, 11U);
  EXPECT_EQ(got.value().argument_address, 0U);
}

TEST(ParsePidStat, SaysWhatHasEnded) {
  for (const char state : {'Z', 'X', 'x'})
    EXPECT_TRUE((PidStat{.name = "", .state = state}.has_ended()));
  for (const char state : {'R', 'S', 'D', 'T', 't', 'I'}) {
    EXPECT_FALSE((PidStat{.name = "", .state = state}.has_ended()));
  }
}

TEST(ParsePidStat, RejectsAndNamesTheBadField) {
  struct Case {
    std::string_view name;
    std::string text;
    std::string_view message_part;
  };
  const std::vector<Case> cases{
      {"empty", "", "'comm'"},
      {"no name", "12 python R 1" + kTail, "'comm'"},
      {"brackets the wrong way round", "12 )python( R 1" + kTail, "'comm'"},
      {"no pid", "(python) R 1" + kTail, "'pid'"},
      {"pid too large", "4294967296 (python) R 1" + kTail, "'pid'"},
      {"no state", "12 (python)", "'state'"},
      {"long state", "12 (python) RR 1" + kTail, "'state'"},
      {"negative parent", "12 (python) R -1" + kTail, "'ppid'"},
      {"cut before the faults", "12 (python) R 1 2 3 4 5 6", "'minflt'"},
      {"cut before the threads", "12 (p) R 1 1 1 0 -1 0 5 0 6 0 7 8 0 0 20 0", "'num_threads'"},
      {"letters", "12 (p) R 1 1 1 0 -1 0 5 0 6 0 7 8 0 0 20 0 1 0 9 1000 1l", "'rss'"},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = parse_pid_stat(c.text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
    EXPECT_NE(got.error().message.find(c.message_part), std::string::npos) << got.error().message;
  }
}

}  // namespace
}  // namespace latido::telemetry
