#include "report/markup.h"

#include <array>
#include <charconv>
#include <cmath>

#include "report/text_layout.h"

namespace latido::report {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : printable(text)) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string coordinate(double value) {
  if (!std::isfinite(value)) return "0";
  std::array<char, 384> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value,
                                 std::chars_format::fixed, 2);
  std::string text(buffer.data(), end.ptr);
  while (text.ends_with('0')) text.pop_back();
  if (text.ends_with('.')) text.pop_back();
  return text == "-0" ? "0" : text;
}

void Markup::start(std::string_view tag, Attributes attributes) {
  out_ += '<';
  out_ += tag;
  for (const auto& [name, value] : attributes) {
    out_ += ' ';
    out_ += name;
    out_ += "=\"";
    out_ += escaped(value);
    out_ += '"';
  }
}

Markup& Markup::open(std::string_view tag, Attributes attributes) {
  start(tag, attributes);
  out_ += '>';
  open_.push_back(tag);
  return *this;
}

Markup& Markup::close() {
  out_ += "</";
  out_ += open_.back();
  out_ += ">";
  // A line end after blocks only: between words of a sentence it would be a space.
  constexpr std::array<std::string_view, 12> kBlocks{
      "section", "div", "table", "tr", "svg", "head", "figure", "main", "ol", "body", "ul", "dl"};
  for (const std::string_view block : kBlocks) {
    if (open_.back() == block) out_ += '\n';
  }
  open_.pop_back();
  return *this;
}

Markup& Markup::text(std::string_view text) {
  out_ += escaped(text);
  return *this;
}

Markup& Markup::element(std::string_view tag, std::string_view text, Attributes attributes) {
  return open(tag, attributes).text(text).close();
}

Markup& Markup::leaf(std::string_view tag, Attributes attributes) {
  start(tag, attributes);
  out_ += "/>";
  return *this;
}

Markup& Markup::raw(std::string_view constant) {
  out_ += constant;
  return *this;
}

}  // namespace latido::report
