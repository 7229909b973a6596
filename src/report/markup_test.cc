#include "report/markup.h"

#include <gtest/gtest.h>

#include <limits>
#include <string>

namespace latido::report {
namespace {

TEST(Markup, EscapesTextsAndValues) {
  Markup page;
  page.open("p", {{"title", "\"><script>"}}).text("a < b & 'c'").close();
  page.leaf("rect", {{"x", "1"}}).element("b", "");
  EXPECT_EQ(std::move(page).take(),
            "<p title=\"&quot;&gt;&lt;script&gt;\">a &lt; b &amp; &#39;c&#39;</p>"
            "<rect x=\"1\"/><b></b>");
}

TEST(Markup, MakesTextsPrintable) { EXPECT_EQ(escaped("a\x1b[0m\nb\xff"), "a\uFFFD[0m b\uFFFD"); }

TEST(Coordinate, IsShortAndNeverLocalised) {
  EXPECT_EQ(coordinate(12.5), "12.5");
  EXPECT_EQ(coordinate(12), "12");
  EXPECT_EQ(coordinate(0.126), "0.13");
  EXPECT_EQ(coordinate(-0.001), "0");
  EXPECT_EQ(coordinate(-3), "-3");
  EXPECT_EQ(coordinate(std::numeric_limits<double>::infinity()), "0");
  EXPECT_EQ(coordinate(std::numeric_limits<double>::quiet_NaN()), "0");
}

}  // namespace
}  // namespace latido::report
