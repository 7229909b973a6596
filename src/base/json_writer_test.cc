#include "base/json_writer.h"

#include <gtest/gtest.h>

#include <limits>

namespace latido {
namespace {

TEST(JsonWriter, PlacesCommasAndNestsObjectsAndArrays) {
  JsonWriter json;
  json.begin_object().key("a").integer(-1).key("b").begin_array().boolean(true).null().number(0.1);
  json.begin_object().end_object().end_array().key("c").string("x").end_object();
  EXPECT_EQ(json.text(), R"({"a":-1,"b":[true,null,0.1,{}],"c":"x"})");
}

TEST(JsonWriter, EscapesWhatJsonAndHtmlScriptsCannotHold) {
  EXPECT_EQ(json_quote("a\"b\\c\n\t\x01</script>"), R"("a\"b\\c\n\t\u0001\u003c/script>")");
}

TEST(JsonWriter, ReplacesInvalidUtf8) {
  EXPECT_EQ(json_quote("ok\xFFé"), "\"ok\xEF\xBF\xBDé\"");
  EXPECT_EQ(json_quote("\xED\xA0\x80"), "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

TEST(JsonWriter, WritesNonFiniteNumbersAsNull) {
  JsonWriter json;
  json.begin_array().number(std::numeric_limits<double>::quiet_NaN());
  json.number(std::numeric_limits<double>::infinity()).end_array();
  EXPECT_EQ(json.text(), "[null,null]");
}

}  // namespace
}  // namespace latido
