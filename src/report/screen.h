// Screen: lines of text for a terminal, none wider than its columns, with or without colour.
//
// Used by the terminal renderers. Colour only repeats what the words say. Everything added is made
// printable first, so that no name can carry an escape sequence.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace latido::report {

enum class Ink : std::uint8_t { kPlain, kStrong, kFaint, kGood, kBad };

class Screen {
 public:
  // `columns` below 20 are taken as 20.
  Screen(std::size_t columns, bool colour);

  std::size_t columns() const noexcept { return columns_; }

  void blank();
  // One line; what does not fit is cut. `head` is inked, `rest` plain.
  void line(std::string_view head, Ink ink = Ink::kPlain, std::string_view rest = {});
  // `head`, then `text` wrapped; its further lines begin at column `indent`.
  void paragraph(std::string_view head, Ink ink, std::string_view text, std::size_t indent);
  // `head`, then the pieces with `separator` between those on one line; a piece is only broken when
  // it is wider than a line.
  void flow(std::string_view head, Ink ink, const std::vector<std::string>& pieces,
            std::string_view separator, std::size_t indent);

  std::string take() && { return std::move(out_); }

 private:
  void emit(std::string_view head, Ink ink, std::string_view rest);

  std::size_t columns_;
  bool colour_;
  std::string out_;
};

}  // namespace latido::report
