// UTF-8 that can be trusted: bytes from programs and files made valid, and their width in a terminal.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace latido {

// `text` with each byte that is no part of a valid UTF-8 sequence replaced by U+FFFD.
std::string to_valid_utf8(std::string_view text);

// Number of code points in valid UTF-8: the columns it takes for the scripts our reports are in.
std::size_t utf8_length(std::string_view text) noexcept;

// `text` cut to at most `columns` code points; the last one is "…" when something was cut.
std::string utf8_truncate(std::string_view text, std::size_t columns);

}  // namespace latido
