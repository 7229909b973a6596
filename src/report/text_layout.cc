#include "report/text_layout.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "base/utf8.h"

namespace latido::report {
namespace {

struct CodePoint {
  char32_t value;
  std::size_t length;  // in bytes
};

// `text` is valid UTF-8 and not empty.
CodePoint first_code_point(std::string_view text) noexcept {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0x80};
  };
  const std::uint32_t lead = byte(0);
  const auto tail = [&](std::size_t i) { return byte(i) & 0x3FU; };
  if (lead < 0x80U) return {lead, 1};
  if (lead < 0xE0U) return {(lead & 0x1FU) << 6U | tail(1), 2};
  if (lead < 0xF0U) return {(lead & 0x0FU) << 12U | tail(1) << 6U | tail(2), 3};
  return {(lead & 0x07U) << 18U | tail(1) << 12U | tail(2) << 6U | tail(3), 4};
}

struct Range {
  char32_t first;
  char32_t last;
};

template <std::size_t N>
bool is_in(char32_t c, const std::array<Range, N>& sorted) noexcept {
  const auto it = std::ranges::upper_bound(sorted, c, {}, &Range::first);
  return it != sorted.begin() && c <= std::prev(it)->last;
}

// Blocks rather than single characters: a narrow character counted as wide costs a cell, no more.
constexpr std::array<Range, 9> kWide{{{0x1100, 0x115F},
                                      {0x2E80, 0x303E},
                                      {0x3041, 0xA4CF},
                                      {0xAC00, 0xD7A3},
                                      {0xF900, 0xFAFF},
                                      {0xFE30, 0xFE6F},
                                      {0xFF00, 0xFF60},
                                      {0x1F300, 0x1FAFF},
                                      {0x20000, 0x3FFFD}}};
constexpr std::array<Range, 6> kCombining{{{0x0300, 0x036F},
                                           {0x0483, 0x0489},
                                           {0x0591, 0x05BD},
                                           {0x1AB0, 0x1AFF},
                                           {0x20D0, 0x20FF},
                                           {0xFE00, 0xFE0F}}};
// Controls, soft hyphen, zero-width, direction marks and overrides, line separators, BOM, tags.
constexpr std::array<Range, 9> kHarmful{{{0x0000, 0x001F},
                                         {0x007F, 0x009F},
                                         {0x00AD, 0x00AD},
                                         {0x061C, 0x061C},
                                         {0x200B, 0x200F},
                                         {0x2028, 0x202E},
                                         {0x2060, 0x206F},
                                         {0xFEFF, 0xFEFF},
                                         {0xE0000, 0xE0FFF}}};

std::size_t width_of(char32_t c) noexcept {
  if (is_in(c, kCombining)) return 0;
  return is_in(c, kWide) ? 2 : 1;
}

// Bytes of the longest start of `text` that fits into `cells`; at least one character.
std::size_t bytes_that_fit(std::string_view text, std::size_t cells) noexcept {
  std::size_t bytes = 0;
  std::size_t used = 0;
  while (bytes < text.size()) {
    const CodePoint c = first_code_point(text.substr(bytes));
    used += width_of(c.value);
    if (used > cells && bytes > 0) break;
    bytes += c.length;
  }
  return std::min(bytes, text.size());
}

// Appends words to lines that are never wider than they may be.
class LineBreaker {
 public:
  LineBreaker(std::size_t first, std::size_t cells) : room_(first), cells_(cells) {}

  void add(std::string_view word) {
    const std::size_t width = cell_width(word);
    if (used_ > 0 && used_ + 1 + width > room_) end_line();
    if (used_ > 0) append(" ");
    // A first line too narrow for any word (a long label before it) stays empty.
    if (used_ == 0 && width > room_ && lines_.empty() && room_ < cells_) end_line();
    while (cell_width(word) > room_ - std::min(used_, room_)) {
      const std::size_t bytes = bytes_that_fit(word, room_);
      append(word.substr(0, bytes));
      word.remove_prefix(bytes);
      end_line();
    }
    append(word);
  }

  std::vector<std::string> take() {
    if (!line_.empty() || lines_.empty()) end_line();
    return std::move(lines_);
  }

 private:
  void append(std::string_view text) {
    line_ += text;
    used_ += cell_width(text);
  }
  void end_line() {
    lines_.push_back(std::move(line_));
    line_.clear();
    used_ = 0;
    room_ = cells_;
  }

  std::vector<std::string> lines_;
  std::string line_;
  std::size_t used_ = 0;
  std::size_t room_;
  std::size_t cells_;
};

}  // namespace

std::string printable(std::string_view text) {
  const std::string valid = to_valid_utf8(text);
  std::string out;
  out.reserve(valid.size());
  for (std::size_t at = 0; at < valid.size();) {
    const CodePoint c = first_code_point(std::string_view(valid).substr(at));
    if (c.value == '\n' || c.value == '\t' || c.value == '\r') {
      out += ' ';
    } else if (is_in(c.value, kHarmful)) {
      out += "\uFFFD";
    } else {
      out.append(valid, at, c.length);
    }
    at += c.length;
  }
  return out;
}

std::string capitals(std::string_view text) {
  constexpr char kCaseBit = 0x20;
  constexpr char kLatin1Lead = '\xC3';
  std::string out(text);
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (out[i] >= 'a' && out[i] <= 'z') out[i] = static_cast<char>(out[i] - kCaseBit);
    // U+00E0 to U+00FE, but for the division sign.
    const bool accented = i > 0 && out[i - 1] == kLatin1Lead && out[i] >= '\xA0' &&
                          out[i] <= '\xBE' && out[i] != '\xB7';
    if (accented) out[i] = static_cast<char>(out[i] - kCaseBit);
  }
  return out;
}

std::size_t cell_width(std::string_view text) noexcept {
  std::size_t width = 0;
  while (!text.empty()) {
    const CodePoint c = first_code_point(text);
    width += width_of(c.value);
    text.remove_prefix(std::min(c.length, text.size()));
  }
  return width;
}

std::string cut_to(std::string_view text, std::size_t cells) {
  if (cell_width(text) <= cells) return std::string(text);
  if (cells == 0) return {};
  if (cells == 1) return "…";
  std::size_t bytes = bytes_that_fit(text, cells - 1);
  if (cell_width(text.substr(0, bytes)) > cells - 1) bytes = 0;
  return std::string(text.substr(0, bytes)) + "…";
}

std::string pad_right(std::string_view text, std::size_t cells) {
  std::string out(text);
  const std::size_t width = cell_width(text);
  if (width < cells) out.append(cells - width, ' ');
  return out;
}

std::string pad_left(std::string_view text, std::size_t cells) {
  const std::size_t width = cell_width(text);
  return std::string(width < cells ? cells - width : 0, ' ') + std::string(text);
}

std::vector<std::string> wrap(std::string_view text, std::size_t first, std::size_t cells) {
  LineBreaker lines(first, std::max<std::size_t>(cells, 2));
  while (!text.empty()) {
    const std::size_t space = text.find(' ');
    if (space != 0) lines.add(text.substr(0, space));
    text.remove_prefix(space == std::string_view::npos ? text.size() : space + 1);
  }
  return lines.take();
}

std::string block_bar(double ratio, std::size_t cells) {
  constexpr std::array<std::string_view, 8> kPart{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  if (!(ratio > 0)) return {};
  const double eighths = std::round(std::min(ratio, 1.0) * static_cast<double>(cells) * 8);
  const std::size_t count = std::max<std::size_t>(1, static_cast<std::size_t>(eighths));
  std::string out;
  for (std::size_t i = 0; i < count / 8; ++i) out += "█";
  return out + std::string(kPart[count % 8]);
}

}  // namespace latido::report
