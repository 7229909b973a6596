#include "symbols/answer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "symbols/native_name.h"

namespace latido::symbols {
namespace {

Resolution room_for(std::size_t functions) {
  Resolution resolution;
  resolution.symbols.resize(functions);
  return resolution;
}

TEST(AnswerReader, ReadsWhatWasWrittenInPiecesOfAnySize) {
  const Symbol symbol{"f(λ)", "/a/b.cc", 12};
  const std::string stream = encode_answer(AnswerKind::kSymbol, 1, symbol) +
                             encode_answer(AnswerKind::kProblem, 0, {"no file", "", 0}) +
                             encode_answer(AnswerKind::kEnd, 0, {});
  for (const std::size_t piece : {std::size_t{1}, std::size_t{17}, stream.size()}) {
    Resolution resolution = room_for(2);
    AnswerReader reader(resolution);
    for (std::size_t at = 0; at < stream.size(); at += piece) {
      reader.feed(
          std::as_bytes(std::span(stream).subspan(at).first(std::min(piece, stream.size() - at))));
    }
    EXPECT_TRUE(reader.complete());
    EXPECT_EQ(resolution.symbols, (std::vector<Symbol>{{}, symbol}));
    EXPECT_EQ(resolution.problems, (std::vector<std::string>{"no file"}));
  }
}

TEST(AnswerReader, EndsAtAnAnswerThatMakesNoSense) {
  struct Case {
    const char* name;
    std::string stream;
  };
  std::string long_name = encode_answer(AnswerKind::kSymbol, 0, {});
  long_name[13] = '\x7F';
  const std::vector<Case> cases{
      {"a function that nobody asked for", encode_answer(AnswerKind::kSymbol, 2, {"f", "", 1})},
      {"a kind of the future", encode_answer(static_cast<AnswerKind>(9), 0, {"f", "", 1})},
      {"a name beyond the limit", long_name},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    Resolution resolution = room_for(2);
    AnswerReader reader(resolution);
    EXPECT_FALSE(reader.feed(std::as_bytes(std::span(c.stream))));
    EXPECT_FALSE(reader.complete());
    EXPECT_EQ(resolution.symbols, (std::vector<Symbol>{{}, {}}));
  }
}

TEST(NativeName, IsRecognisedAndNothingElseIs) {
  struct Case {
    const char* text;
    bool is_one;
  };
  const std::vector<Case> cases{
      {"kmeans+0x1a2b#9f86", true},
      {"lib#odd+0x2+0x1a2b#file:1:2f:3:0", true},
      {"a+0xffffffffffffffff#?", true},
      {"a+0x1ffffffffffffffff#9f", false},
      {"Trainer.fit", false},
      {"a+0x1a2b", false},
      {"a+0x#9f", false},
      {"a+0x1G#9f", false},
      {"a+0x1#", false},
      {"a+0x1#x", false},
      {"a+0x1#file:1:2:3", false},
      {"", false},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.text);
    EXPECT_EQ(parse_native_name(c.text).has_value(), c.is_one);
  }
  EXPECT_EQ(parse_native_name("kmeans+0x1a2b#9f86"),
            (NativeName{.address = 0x1a2b, .identity = "9f86", .shown = "kmeans+0x1a2b"}));
  EXPECT_EQ(parse_file_identity("file:1:2f:3:0"),
            (FileIdentity{.inode = 1, .size_bytes = 0x2f, .modified_s = 3, .modified_ns = 0}));
}

}  // namespace
}  // namespace latido::symbols
