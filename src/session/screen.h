// Screen: where a session says things to the person who started it. The program's own output never
// goes through here.
#pragma once

#include <cstddef>
#include <string_view>

namespace latido::session {

class Screen {
 public:
  virtual ~Screen() = default;

  // A finished block of text, one or more lines without the last newline.
  virtual void say(std::string_view text) = 0;
  // Replaces the live line; empty: takes it away.
  virtual void live(std::string_view line) = 0;
  virtual std::size_t columns() const = 0;
  virtual bool colour() const = 0;
};

}  // namespace latido::session
