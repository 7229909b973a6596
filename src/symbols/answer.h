// What the child process of resolve.h sends back: a stream of answers, written and read.
//
//   u32 kind (1 symbol, 2 problem, 3 the end) | u32 index | u32 line | u16 name bytes | u16 file bytes | both
//
// The child has read hostile files, so its answers are judged like these: an answer that makes no sense ends
// the reading, and nothing grows beyond the limits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "symbols/resolve.h"

namespace latido::symbols {

enum class AnswerKind : std::uint32_t { kSymbol = 1, kProblem = 2, kEnd = 3 };

inline constexpr std::size_t kAnswerHeadBytes = 16;
inline constexpr std::size_t kMaxAnswerText = 8192;  // of name and file each; longer ones are cut

// A problem's sentence is `symbol.name`.
std::string encode_answer(AnswerKind kind, std::uint32_t index, const Symbol& symbol);

class AnswerReader {
 public:
  // Answers go to `resolution`, whose symbols are as many as were asked for.
  explicit AnswerReader(Resolution& resolution) : resolution_(resolution) {}

  // Takes the next bytes of the stream, in pieces of any size. False: it has ended, well or not.
  bool feed(std::span<const std::byte> bytes);
  // The child said that it had finished.
  bool complete() const noexcept { return complete_; }

 private:
  static constexpr std::size_t kMaxProblems = 64;

  bool take_answer(std::string_view head, std::string_view texts);

  Resolution& resolution_;
  std::string pending_;  // less than one answer
  bool complete_ = false;
  bool failed_ = false;
};

}  // namespace latido::symbols
