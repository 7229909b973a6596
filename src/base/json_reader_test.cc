#include "base/json_reader.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/json_writer.h"

namespace latido {
namespace {

TEST(ParseJson, ReadsEveryType) {
  const auto got =
      parse_json(R"( {"a": [1, -2.5e1, true, false, null], "b": {"c": "x\n\u00e9\ud83d\ude00"}} )");
  ASSERT_TRUE(got.has_value()) << got.error().message;
  const JsonValue& root = got.value();
  ASSERT_EQ(root["a"].items().size(), 5U);
  EXPECT_EQ(root["a"].items()[0].integer_or(0), 1);
  EXPECT_EQ(root["a"].items()[1].number_or(0), -25.0);
  EXPECT_TRUE(root["a"].items()[2].boolean_or(false));
  EXPECT_FALSE(root["a"].items()[3].boolean_or(true));
  EXPECT_TRUE(root["a"].items()[4].is_null());
  EXPECT_EQ(root["b"]["c"].string_or(""), "x\n\xC3\xA9\xF0\x9F\x98\x80");
  EXPECT_TRUE(root["b"]["missing"]["deeper"].is_null());
}

TEST(ParseJson, KeepsIntegersExact) {
  struct Case {
    std::string_view text;
    std::int64_t want;
  };
  const std::vector<Case> cases{
      {"0", 0}, {"-0", 0}, {"9223372036854775807", INT64_MAX}, {"-9223372036854775808", INT64_MIN}};
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    const auto got = parse_json(c.text);
    ASSERT_TRUE(got.has_value());
    EXPECT_EQ(got.value().integer_or(7), c.want);
  }
  EXPECT_EQ(parse_json("9223372036854775808").value().number_or(0), 9223372036854775808.0);
}

TEST(ParseJson, ReadsWhatTheWriterWrites) {
  JsonWriter writer;
  writer.begin_object().key("text").string("a\"b\\c\t<\x01").key("n").number(0.1).end_object();
  const auto got = parse_json(writer.text());
  ASSERT_TRUE(got.has_value()) << got.error().message;
  EXPECT_EQ(got.value()["text"].string_or(""), "a\"b\\c\t<\x01");
  EXPECT_EQ(got.value()["n"].number_or(0), 0.1);
}

TEST(ParseJson, RejectsWhatIsNoJson) {
  const std::vector<std::string> cases{"",
                                       "{",
                                       "[1,]",
                                       "{\"a\":}",
                                       "{a:1}",
                                       "01",
                                       "1.",
                                       "+1",
                                       "nul",
                                       "\"\n\"",
                                       "\"\\x\"",
                                       "1 2",
                                       "\"\\ud800\"",
                                       "\"\\u12g4\"",
                                       "1e999",
                                       "-",
                                       "\xFF",
                                       "\"abc",
                                       std::string(100, '[')};
  for (const std::string& text : cases) {
    SCOPED_TRACE(text);
    const auto got = parse_json(text);
    ASSERT_FALSE(got.has_value());
    EXPECT_EQ(got.error().code, ErrorCode::kInvalidInput);
  }
}

}  // namespace
}  // namespace latido
