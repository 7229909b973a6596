#include "report/screen.h"

#include <gtest/gtest.h>

#include <string>

namespace latido::report {
namespace {

TEST(Screen, WrapsParagraphsUnderTheirIndent) {
  Screen screen(20, false);
  screen.paragraph(" FIX  ", Ink::kStrong, "num workers of the loader", 6);
  EXPECT_EQ(std::move(screen).take(), " FIX  num workers of\n      the loader\n");
}

TEST(Screen, KeepsPiecesWhole) {
  Screen screen(24, false);
  screen.flow(" R  ", Ink::kPlain, {"loss 2.31", "621 samples/s", "batch 64"}, " · ", 4);
  EXPECT_EQ(std::move(screen).take(), " R  loss 2.31\n    621 samples/s\n    batch 64\n");
}

TEST(Screen, KeepsWideSeparatorsWhereTheyFit) {
  Screen screen(40, false);
  screen.flow("", Ink::kPlain, {"a", "b"}, "    ", 0);
  EXPECT_EQ(std::move(screen).take(), "a    b\n");
}

TEST(Screen, InksOnlyTheHeadAndOnlyWithColour) {
  Screen coloured(40, true);
  coloured.line("HEAD ", Ink::kBad, "rest");
  EXPECT_EQ(std::move(coloured).take(), "\x1b[1;31mHEAD \x1b[0mrest\n");
  Screen plain(40, false);
  plain.line("HEAD ", Ink::kBad, "rest\x1b[0m");
  EXPECT_EQ(std::move(plain).take(), "HEAD rest\uFFFD[0m\n");
}

TEST(Screen, CutsLinesAndKeepsNoBreakSpacesTogether) {
  Screen screen(20, false);
  screen.line("abcdefghijklmnopqrstuvwxyz");
  screen.paragraph("", Ink::kPlain, "it takes altogether 57\u00A0%", 0);
  EXPECT_EQ(std::move(screen).take(), "abcdefghijklmnopqrs…\nit takes altogether\n57 %\n");
}

}  // namespace
}  // namespace latido::report
