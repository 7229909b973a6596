// Lines, words and numbers of the kernel's text files. Called by the parsers of this folder; never
// allocates unless it makes an Error, never reads a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Cuts the next line, without its newline, off the front of `rest`. False when `rest` is empty.
bool next_line(std::string_view& rest, std::string_view& line) noexcept;

// Cuts the next word, bounded by blanks and tabs, off the front of `rest`; "" at the end.
std::string_view next_word(std::string_view& rest) noexcept;

// Cuts everything up to `separator` off the front of `rest`, and the separator; all of it when
// there is no separator.
std::string_view next_field(std::string_view& rest, char separator) noexcept;

std::string_view trimmed(std::string_view text) noexcept;

// Empty unless all of `word` is one decimal number in range.
std::optional<std::uint64_t> parse_unsigned(std::string_view word) noexcept;
std::optional<std::int64_t> parse_signed(std::string_view word) noexcept;

// kInvalidInput: "<file> field '<field>' is not a number: '<text>'". `text` is cut when long.
Error bad_field(std::string_view file, std::string_view field, std::string_view text);

// kInvalidInput: "<file> has no field '<field>'".
Error missing_field(std::string_view file, std::string_view field);

}  // namespace latido::telemetry
