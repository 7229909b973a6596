// Markup: builds HTML and the SVG inside it in a string. Escaping is its business, so that no name
// of a run, file or zone can become a tag, an attribute or a script.
//
// Used by the HTML renderers. Tags and attribute names are literals of ours; values and texts are
// made printable (text_layout.h) and escaped.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace latido::report {

class Markup {
 public:
  using Attributes = std::initializer_list<std::pair<std::string_view, std::string_view>>;

  // `tag` must outlive the Markup: a literal.
  Markup& open(std::string_view tag, Attributes attributes = {});
  Markup& close();  // the innermost open tag
  Markup& text(std::string_view text);
  // <tag …>text</tag>; with an empty text an empty element.
  Markup& element(std::string_view tag, std::string_view text, Attributes attributes = {});
  // <tag …/>: for SVG shapes and void HTML elements.
  Markup& leaf(std::string_view tag, Attributes attributes = {});
  // As it is: for constants of ours only.
  Markup& raw(std::string_view constant);

  std::string take() && { return std::move(out_); }

 private:
  void start(std::string_view tag, Attributes attributes);

  std::string out_;
  std::vector<std::string_view> open_;
};

// `text` with & < > " ' as character references, printable.
std::string escaped(std::string_view text);

// A coordinate: at most two decimals, '.' in every language.
std::string coordinate(double value);

}  // namespace latido::report
