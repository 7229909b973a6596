#include "report/markdown_text.h"

#include "report/text_layout.h"

namespace latido::report {
namespace {

std::string table_row(const std::vector<std::string>& cells) {
  std::string row = "|";
  for (const std::string& cell : cells) row += " " + cell + " |";
  return row + "\n";
}

}  // namespace

std::string markdown_text(std::string_view text) {
  constexpr std::string_view kMarkup = "\\`*_[]|#~$!";
  std::string out;
  for (const char c : printable(text)) {
    if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '&') {
      out += "&amp;";
    } else if (kMarkup.find(c) != std::string_view::npos) {
      out += '\\';
      out += c;
    } else {
      out += c;
    }
  }
  return out;
}

std::string markdown_code(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    if (c == '`') {
      out += '\'';
    } else if (c == '|') {
      out += '/';  // would end a table's cell, code or not
    } else if (c == '<') {
      out += "‹";  // no renderer is trusted to leave a tag inside code alone
    } else {
      out += c;
    }
  }
  return "`" + out + "`";
}

std::string markdown_joined(const std::vector<std::string>& pieces, std::string_view separator) {
  std::string out;
  for (const std::string& piece : pieces) {
    if (!out.empty()) out += separator;
    out += markdown_text(piece);
  }
  return out;
}

std::string markdown_table(const std::vector<std::string>& head,
                           const std::vector<std::vector<std::string>>& rows) {
  std::string out = table_row(head) + "|";
  for (std::size_t i = 0; i < head.size(); ++i) out += i == 0 ? " --- |" : " ---: |";
  out += "\n";
  for (const auto& row : rows) out += table_row(row);
  return out;
}

}  // namespace latido::report
