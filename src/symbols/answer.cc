#include "symbols/answer.h"

#include <algorithm>
#include <utility>

#include "base/utf8.h"

namespace latido::symbols {
namespace {

void put_number(std::string& into, std::uint64_t number, std::size_t width) {
  for (std::size_t i = 0; i < width; ++i) into += static_cast<char>(number >> (8 * i) & 0xFFU);
}

std::uint32_t number_at(std::string_view bytes, std::size_t at, std::size_t width) {
  std::uint32_t number = 0;
  for (std::size_t i = 0; i < width; ++i) {
    number |= static_cast<std::uint32_t>(static_cast<unsigned char>(bytes[at + i])) << (8 * i);
  }
  return number;
}

}  // namespace

std::string encode_answer(AnswerKind kind, std::uint32_t index, const Symbol& symbol) {
  const std::string_view name = std::string_view(symbol.name).substr(0, kMaxAnswerText);
  const std::string_view file = std::string_view(symbol.file).substr(0, kMaxAnswerText);
  std::string answer;
  answer.reserve(kAnswerHeadBytes + name.size() + file.size());
  put_number(answer, static_cast<std::uint32_t>(kind), 4);
  put_number(answer, index, 4);
  put_number(answer, symbol.line, 4);
  put_number(answer, name.size(), 2);
  put_number(answer, file.size(), 2);
  answer.append(name).append(file);
  return answer;
}

bool AnswerReader::take_answer(std::string_view head, std::string_view texts) {
  const std::size_t name_bytes = number_at(head, 12, 2);
  const std::uint32_t index = number_at(head, 4, 4);
  std::string name = to_valid_utf8(texts.substr(0, name_bytes));
  switch (static_cast<AnswerKind>(number_at(head, 0, 4))) {
    case AnswerKind::kSymbol:
      if (index >= resolution_.symbols.size()) return false;
      resolution_.symbols[index] = {.name = std::move(name),
                                    .file = to_valid_utf8(texts.substr(name_bytes)),
                                    .line = number_at(head, 8, 4)};
      return true;
    case AnswerKind::kProblem:
      if (resolution_.problems.size() < kMaxProblems) {
        resolution_.problems.push_back(std::move(name));
      }
      return true;
    case AnswerKind::kEnd:
      complete_ = true;
      return false;
  }
  return false;
}

bool AnswerReader::feed(std::span<const std::byte> bytes) {
  if (failed_ || complete_) return false;
  pending_.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  std::string_view rest = pending_;
  while (rest.size() >= kAnswerHeadBytes && !failed_) {
    const std::string_view head = rest.substr(0, kAnswerHeadBytes);
    const std::size_t name_bytes = number_at(head, 12, 2);
    const std::size_t file_bytes = number_at(head, 14, 2);
    failed_ = name_bytes > kMaxAnswerText || file_bytes > kMaxAnswerText;
    if (failed_ || rest.size() - kAnswerHeadBytes < name_bytes + file_bytes) break;
    failed_ = !take_answer(head, rest.substr(kAnswerHeadBytes, name_bytes + file_bytes));
    rest.remove_prefix(kAnswerHeadBytes + name_bytes + file_bytes);
  }
  pending_.erase(0, pending_.size() - rest.size());
  return !failed_;
}

}  // namespace latido::symbols
