#include "base/utf8.h"

#include <cstdint>

namespace latido {
namespace {

// Length of the valid sequence at the start of `text`, 0 when there is none. Rejects overlong forms,
// surrogates and code points above U+10FFFF.
std::size_t sequence_length(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const auto continues = [&](std::size_t i) {
    return i < text.size() && (byte(i) & 0xC0U) == 0x80U;
  };
  const unsigned first = byte(0);
  if (first < 0x80U) return 1;
  if (first >= 0xC2U && first <= 0xDFU) return continues(1) ? 2 : 0;
  if (first >= 0xE0U && first <= 0xEFU) {
    if (!continues(1) || !continues(2)) return 0;
    if (first == 0xE0U && byte(1) < 0xA0U) return 0;
    if (first == 0xEDU && byte(1) > 0x9FU) return 0;
    return 3;
  }
  if (first >= 0xF0U && first <= 0xF4U) {
    if (!continues(1) || !continues(2) || !continues(3)) return 0;
    if (first == 0xF0U && byte(1) < 0x90U) return 0;
    if (first == 0xF4U && byte(1) > 0x8FU) return 0;
    return 4;
  }
  return 0;
}

bool starts_code_point(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }

}  // namespace

std::string to_valid_utf8(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const std::size_t length = sequence_length(text);
    if (length == 0) {
      out += "\xEF\xBF\xBD";
      text.remove_prefix(1);
    } else {
      out += text.substr(0, length);
      text.remove_prefix(length);
    }
  }
  return out;
}

std::size_t utf8_length(std::string_view text) noexcept {
  std::size_t length = 0;
  for (const char c : text) length += starts_code_point(c) ? 1 : 0;
  return length;
}

std::string utf8_truncate(std::string_view text, std::size_t columns) {
  if (utf8_length(text) <= columns) return std::string(text);
  if (columns == 0) return {};
  std::size_t end = 0;
  for (std::size_t kept = 0; end < text.size(); ++end) {
    if (starts_code_point(text[end]) && kept++ == columns - 1) break;
  }
  return std::string(text.substr(0, end)) + "…";
}

}  // namespace latido
