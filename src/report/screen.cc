#include "report/screen.h"

#include <algorithm>
#include <array>
#include <utility>

#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kLeastColumns = 20;
// Bold, dim, green, red: the 16 colours that every terminal theme defines.
constexpr std::array<std::string_view, 5> kCodes{"", "\x1b[1m", "\x1b[2m", "\x1b[1;32m",
                                                 "\x1b[1;31m"};
constexpr std::string_view kReset = "\x1b[0m";

// Terminals and those who copy from them expect plain spaces.
std::string without_no_break(std::string text) {
  constexpr std::string_view kNoBreak = "\u00A0";
  for (std::size_t at = text.find(kNoBreak); at != std::string::npos;
       at = text.find(kNoBreak, at)) {
    text.replace(at, kNoBreak.size(), " ");
  }
  return text;
}

std::string without_end_spaces(std::string text) {
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

}  // namespace

Screen::Screen(std::size_t columns, bool colour)
    : columns_(std::max(columns, kLeastColumns)), colour_(colour) {}

void Screen::blank() { out_ += '\n'; }

void Screen::emit(std::string_view head, Ink ink, std::string_view rest) {
  const std::string shown_head = without_no_break(cut_to(head, columns_));
  const std::size_t room = columns_ - std::min(columns_, cell_width(shown_head));
  std::string shown_rest = without_end_spaces(without_no_break(cut_to(rest, room)));
  if (colour_ && ink != Ink::kPlain && !shown_head.empty()) {
    out_ += std::string(kCodes[static_cast<std::size_t>(ink)]) + shown_head + std::string(kReset) +
            shown_rest;
  } else {
    out_ += without_end_spaces(shown_head + shown_rest);
  }
  out_ += '\n';
}

void Screen::line(std::string_view head, Ink ink, std::string_view rest) {
  emit(printable(head), ink, printable(rest));
}

void Screen::paragraph(std::string_view head, Ink ink, std::string_view text, std::size_t indent) {
  const std::string shown_head = cut_to(printable(head), columns_);
  const std::size_t left = std::min(indent, columns_ / 2);
  const std::size_t first = columns_ - std::min(columns_, cell_width(shown_head));
  const std::string shown_text = printable(text);
  // As it is where it fits: wrapping makes one space of several.
  if (cell_width(shown_text) <= first) return emit(shown_head, ink, shown_text);
  const auto lines = wrap(shown_text, first, columns_ - left);
  emit(shown_head, ink, lines.front());
  for (std::size_t i = 1; i < lines.size(); ++i) {
    emit(std::string(left, ' '), Ink::kPlain, lines[i]);
  }
}

void Screen::flow(std::string_view head, Ink ink, const std::vector<std::string>& pieces,
                  std::string_view separator, std::size_t indent) {
  const std::string margin(std::min(indent, columns_ / 2), ' ');
  std::string start = printable(head);
  Ink start_ink = ink;
  std::string row;
  const auto flush = [&] { paragraph(start, start_ink, row, margin.size()); };
  for (const std::string& raw : pieces) {
    const std::string piece = printable(raw);
    std::string joined = row;
    if (!row.empty()) joined += separator;
    joined += piece;
    if (!row.empty() && cell_width(start) + cell_width(joined) > columns_) {
      flush();
      start = margin;
      start_ink = Ink::kPlain;
      row = piece;
    } else {
      row = std::move(joined);
    }
  }
  flush();
}

}  // namespace latido::report
