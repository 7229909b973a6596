#include "report/text_layout.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace latido::report {
namespace {

TEST(Printable, LeavesNothingThatMovesTheCursor) {
  struct Case {
    std::string_view name;
    std::string_view text;
    std::string_view want;
  };
  const std::vector<Case> cases{
      {"plain", "naïve – ok", "naïve – ok"},          {"escape", "a\x1b[2Jb", "a\uFFFD[2Jb"},
      {"line breaks", "a\nb\tc\rd", "a b c d"},       {"C1 control", "a\u009Bb", "a\uFFFDb"},
      {"direction override", "a\u202Eb", "a\uFFFDb"}, {"zero width", "a\u200Bb", "a\uFFFDb"},
      {"broken UTF-8", "a\xff\xc3", "a\uFFFD\uFFFD"},
  };
  for (const Case& c : cases) EXPECT_EQ(printable(c.text), c.want) << c.name;
}

TEST(CellWidth, CountsWhatATerminalShows) {
  EXPECT_EQ(cell_width("abc"), 3U);
  EXPECT_EQ(cell_width("▉→×"), 3U);
  EXPECT_EQ(cell_width("訓練"), 4U);
  EXPECT_EQ(cell_width("e\u0301"), 1U);
  EXPECT_EQ(cell_width("🚀"), 2U);
  EXPECT_EQ(cell_width(""), 0U);
}

TEST(CutTo, NeverSplitsACharacter) {
  EXPECT_EQ(cut_to("abcdef", 6), "abcdef");
  EXPECT_EQ(cut_to("abcdef", 5), "abcd…");
  EXPECT_EQ(cut_to("訓練中", 5), "訓練…");
  EXPECT_EQ(cut_to("訓練中", 4), "訓…");
  EXPECT_EQ(cut_to("訓練", 2), "…");
  EXPECT_EQ(cut_to("abc", 1), "…");
  EXPECT_EQ(cut_to("abc", 0), "");
}

TEST(Wrap, BreaksAtSpacesAndLongWordsAnywhere) {
  using Lines = std::vector<std::string>;
  EXPECT_EQ(wrap("one two three", 7, 7), (Lines{"one two", "three"}));
  EXPECT_EQ(wrap("one two", 3, 7), (Lines{"one", "two"}));
  EXPECT_EQ(wrap("abcdefgh", 3, 3), (Lines{"abc", "def", "gh"}));
  EXPECT_EQ(wrap("word", 1, 10), (Lines{"", "word"}));
  EXPECT_EQ(wrap("57\u00A0% of", 4, 4), (Lines{"57\u00A0%", "of"}));
  EXPECT_EQ(wrap("", 5, 5), (Lines{""}));
}

TEST(BlockBar, ShowsEighthsAndNeverNothingForSomething) {
  EXPECT_EQ(block_bar(0, 10), "");
  EXPECT_EQ(block_bar(1, 2), "██");
  EXPECT_EQ(block_bar(0.5, 1), "▌");
  EXPECT_EQ(block_bar(0.0001, 10), "▏");
  EXPECT_EQ(block_bar(7, 2), "██");
}

TEST(Capitals, KnowsAccents) {
  EXPECT_EQ(capitals("Adónde va un paso"), "ADÓNDE VA UN PASO");
  EXPECT_EQ(capitals("più · 3÷2 ñ"), "PIÙ · 3÷2 Ñ");
}

}  // namespace
}  // namespace latido::report
