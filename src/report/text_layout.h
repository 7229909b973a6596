// Text in a grid of terminal cells: made harmless, measured, cut, padded and wrapped.
//
// Names of runs, files and zones come from programs; nothing they hold may move the cursor, change
// colours or reorder what stands beside them. Pure.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace latido::report {

// Valid UTF-8 of one line: line breaks and tabs become spaces; other control characters, escape
// sequences' bytes, zero-width and direction-changing characters become U+FFFD.
std::string printable(std::string_view text);

// In capitals: ASCII and the accented letters of Latin-1, which is all that our headings hold.
std::string capitals(std::string_view text);

// Cells that valid UTF-8 takes: two for East Asian wide characters and emoji, none for combining
// marks.
std::size_t cell_width(std::string_view text) noexcept;

// Cut to at most `cells`; ends in "…" when something was cut.
std::string cut_to(std::string_view text, std::size_t cells);

// At least `cells` wide; longer text stays as it is.
std::string pad_right(std::string_view text, std::size_t cells);
std::string pad_left(std::string_view text, std::size_t cells);

// Lines of at most `cells` cells, broken at spaces (never at U+00A0); longer words are broken
// anywhere. `first` is what the first line may take. Never empty.
std::vector<std::string> wrap(std::string_view text, std::size_t first, std::size_t cells);

// `ratio` (0..1) of `cells` cells as blocks in eighths; at least the thinnest one above 0.
std::string block_bar(double ratio, std::size_t cells);

}  // namespace latido::report
