#include "analysis/json_text.h"

#include <gtest/gtest.h>

#include <string>

namespace latido::analysis {
namespace {

TEST(JsonText, ReadsNumbersAndTextsOfTheTopLevel) {
  const auto json = JsonText::parse(
      R"({"loader":3,"file":"train.py","prefetch_factor":null,"pids":[1,2],"more":{"x":1},"on":true,
          "ratio":0.5,"low":-7})");
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ(json->integer("loader"), 3);
  EXPECT_EQ(json->integer("low"), -7);
  EXPECT_EQ(json->integer("on"), 1);
  EXPECT_EQ(json->string("file"), "train.py");
  EXPECT_FALSE(json->integer("prefetch_factor").has_value());
  EXPECT_FALSE(json->integer("file").has_value());
  EXPECT_EQ(json->string("loader"), "");
  EXPECT_EQ(json->string("absent"), "");
}

TEST(JsonText, AnythingElseIsNone) {
  for (const std::string& text :
       {std::string(), std::string("null"), std::string("[1]"), std::string("{"),
        std::string("{\"a\":1"), std::string("{\"a\":1}x"), std::string("{\"a\":\"\xff\"}"),
        std::string(JsonText::kMaxBytes + 1, ' '), std::string("{\"a\":\"cut off by the recor")}) {
    EXPECT_FALSE(JsonText::parse(text).has_value()) << text.substr(0, 20);
  }
}

TEST(JsonText, DeepNestingAndHugeNumbersDoNoHarm) {
  std::string deep = "{\"a\":";
  for (int i = 0; i < 20'000; ++i) deep += '[';
  for (int i = 0; i < 20'000; ++i) deep += ']';
  deep += ",\"b\":2,\"c\":99999999999999999999999999}";
  const auto json = JsonText::parse(deep);
  ASSERT_TRUE(json.has_value());
  EXPECT_EQ(json->integer("b"), 2);
  EXPECT_FALSE(json->integer("c").has_value());
}

}  // namespace
}  // namespace latido::analysis
