#include "base/utf8.h"

#include <gtest/gtest.h>

namespace latido {
namespace {

TEST(Utf8, CountsCodePointsNotBytes) { EXPECT_EQ(utf8_length("añ█…"), 4U); }

TEST(Utf8, TruncatesWithAnEllipsisAtACodePointBorder) {
  EXPECT_EQ(utf8_truncate("añob", 4), "añob");
  EXPECT_EQ(utf8_truncate("añob", 3), "añ…");
  EXPECT_EQ(utf8_truncate("añob", 1), "…");
  EXPECT_EQ(utf8_truncate("añob", 0), "");
}

TEST(Utf8, KeepsValidSequencesOfEveryLength) {
  EXPECT_EQ(to_valid_utf8("a\xC3\xB1\xE2\x96\x88\xF0\x9F\x98\x80"),
            "a\xC3\xB1\xE2\x96\x88\xF0\x9F\x98\x80");
}

TEST(Utf8, ReplacesOverlongAndTruncatedSequences) {
  EXPECT_EQ(to_valid_utf8("\xC0\xAF"), "\xEF\xBF\xBD\xEF\xBF\xBD");
  EXPECT_EQ(to_valid_utf8("\xE2\x96"), "\xEF\xBF\xBD\xEF\xBF\xBD");
}

}  // namespace
}  // namespace latido
