// Text as a JSON string with no more escapes than JSON asks for: Perfetto shows \u003c as it stands.
//
// Part of ChromeWriter. Invalid bytes become U+FFFD. Pure.
#pragma once

#include <string>
#include <string_view>

#include "base/utf8.h"

namespace latido::formats::chrome_json {

inline void append_quoted(std::string& out, std::string_view text) {
  constexpr std::string_view kHex = "0123456789abcdef";
  out += '"';
  for (const char c : to_valid_utf8(text)) {
    const auto byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n') {
      out += "\\n";
    } else if (byte < 0x20) {
      out += "\\u00";
      out += kHex[byte >> 4U];
      out += kHex[byte & 0xFU];
    } else {
      out += c;
    }
  }
  out += '"';
}

inline std::string quoted(std::string_view text) {
  std::string out;
  append_quoted(out, text);
  return out;
}

}  // namespace latido::formats::chrome_json
