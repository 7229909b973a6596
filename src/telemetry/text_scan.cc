#include "telemetry/text_scan.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "base/utf8.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::size_t kQuotedLength = 40;  // of a bad text in a message

template <typename Number>
std::optional<Number> parse_whole(std::string_view word) noexcept {
  Number value = 0;
  const char* const end = word.data() + word.size();
  const auto [stop, failure] = std::from_chars(word.data(), end, value);
  if (word.empty() || failure != std::errc{} || stop != end) return std::nullopt;
  return value;
}

}  // namespace

bool next_line(std::string_view& rest, std::string_view& line) noexcept {
  if (rest.empty()) return false;
  line = next_field(rest, '\n');
  return true;
}

std::string_view next_word(std::string_view& rest) noexcept {
  rest.remove_prefix(std::min(rest.find_first_not_of(kBlanks), rest.size()));
  const std::string_view word = rest.substr(0, rest.find_first_of(kBlanks));
  rest.remove_prefix(word.size());
  return word;
}

std::string_view next_field(std::string_view& rest, char separator) noexcept {
  const std::string_view field = rest.substr(0, rest.find(separator));
  rest.remove_prefix(std::min(field.size() + 1, rest.size()));
  return field;
}

std::string_view trimmed(std::string_view text) noexcept {
  text.remove_prefix(std::min(text.find_first_not_of(kSpace), text.size()));
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::optional<std::uint64_t> parse_unsigned(std::string_view word) noexcept {
  return parse_whole<std::uint64_t>(word);
}

std::optional<std::int64_t> parse_signed(std::string_view word) noexcept {
  return parse_whole<std::int64_t>(word);
}

Error bad_field(std::string_view file, std::string_view field, std::string_view text) {
  std::string message{file};
  message.append(" field '").append(field).append("' is not a number: '");
  message.append(utf8_truncate(to_valid_utf8(text.substr(0, 4 * kQuotedLength)), kQuotedLength));
  return {ErrorCode::kInvalidInput, message.append("'")};
}

Error missing_field(std::string_view file, std::string_view field) {
  std::string message{file};
  message.append(" has no field '").append(field).append("'");
  return {ErrorCode::kInvalidInput, std::move(message)};
}

}  // namespace latido::telemetry
