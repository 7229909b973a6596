// StderrScreen: a session's Screen on stderr, so that stdout stays the program's alone.
#pragma once

#include <cstdint>

#include "session/screen.h"
#include "session/settings.h"

namespace latido::cli {

class StderrScreen final : public session::Screen {
 public:
  explicit StderrScreen(session::LiveMode mode);
  ~StderrScreen() override;

  void say(std::string_view text) override;
  void live(std::string_view line) override;
  std::size_t columns() const override;
  bool colour() const override;

 private:
  session::LiveMode mode_;
  bool terminal_;
  bool line_shown_ = false;
  std::int64_t last_line_ns_;
};

// Whether text on this descriptor may carry colour: a terminal, and NO_COLOR is not set.
bool wants_colour(int fd);
// Columns of the terminal behind the descriptor, 80 when it is none.
std::size_t terminal_columns(int fd);

}  // namespace latido::cli
