#include "telemetry/text_scan.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace latido::telemetry {
namespace {

TEST(TextScan, CutsLinesWithAndWithoutFinalNewline) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::vector<std::string_view> want;
  };
  const std::vector<Case> cases{
      {"empty", "", {}},
      {"one line", "a b", {"a b"}},
      {"final newline adds no line", "a\nb\n", {"a", "b"}},
      {"empty line in the middle", "a\n\nb", {"a", "", "b"}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    std::string_view rest = c.text;
    std::string_view line;
    std::vector<std::string_view> got;
    while (next_line(rest, line)) got.push_back(line);
    EXPECT_EQ(got, c.want);
  }
}

TEST(TextScan, CutsWordsAtBlanksAndTabs) {
  std::string_view rest = "  one\t two  ";
  EXPECT_EQ(next_word(rest), "one");
  EXPECT_EQ(next_word(rest), "two");
  EXPECT_EQ(next_word(rest), "");
  EXPECT_EQ(next_word(rest), "");
}

TEST(TextScan, CutsFieldsAtTheirSeparator) {
  std::string_view rest = "0::/a:b";
  EXPECT_EQ(next_field(rest, ':'), "0");
  EXPECT_EQ(next_field(rest, ':'), "");
  EXPECT_EQ(rest, "/a:b");
  EXPECT_EQ(next_field(rest, '|'), "/a:b");
  EXPECT_EQ(next_field(rest, '|'), "");
}

TEST(TextScan, TrimsBothEnds) {
  EXPECT_EQ(trimmed(" \t a b \r\n"), "a b");
  EXPECT_EQ(trimmed(" \n"), "");
  EXPECT_EQ(trimmed(""), "");
}

TEST(TextScan, TakesOnlyWholeNumbers) {
  EXPECT_EQ(parse_unsigned("0"), 0U);
  EXPECT_EQ(parse_unsigned("18446744073709551615"), 18446744073709551615U);
  EXPECT_EQ(parse_signed("-1"), -1);
  for (const std::string_view bad : {"", "-1", "+1", "1x", " 1", "0x1", "18446744073709551616"}) {
    SCOPED_TRACE(bad);
    EXPECT_FALSE(parse_unsigned(bad).has_value());
  }
}

TEST(TextScan, ErrorsQuoteALimitedValidText) {
  const Error error = bad_field("/proc/stat", "user", std::string(1000, '\xff'));
  EXPECT_EQ(error.code, ErrorCode::kInvalidInput);
  EXPECT_LT(error.message.size(), 250U);
  EXPECT_NE(error.message.find("/proc/stat field 'user'"), std::string::npos) << error.message;
}

}  // namespace
}  // namespace latido::telemetry
