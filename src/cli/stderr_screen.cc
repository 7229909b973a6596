#include "cli/stderr_screen.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string>

#include "base/clock.h"
#include "base/utf8.h"

namespace latido::cli {
namespace {

constexpr std::size_t kDefaultColumns = 80;
constexpr std::size_t kMinColumns = 40;
constexpr std::size_t kMaxColumns = 200;
// Without a terminal the live line becomes a line a minute: a log file wants to stay short.
constexpr std::int64_t kLogPeriod_ns = 60'000'000'000;
constexpr std::string_view kClearLine = "\r\x1b[2K";

void write_all(std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(STDERR_FILENO, text.data(), text.size());
    if (written <= 0) return;  // nobody is left to read it
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

}  // namespace

bool wants_colour(int fd) {
  const char* const no_colour = std::getenv("NO_COLOR");
  return (no_colour == nullptr || *no_colour == '\0') && ::isatty(fd) == 1;
}

std::size_t terminal_columns(int fd) {
  winsize size{};
  if (::ioctl(fd, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return kDefaultColumns;
  return std::clamp<std::size_t>(size.ws_col, kMinColumns, kMaxColumns);
}

StderrScreen::StderrScreen(session::LiveMode mode)
    : mode_(mode), terminal_(::isatty(STDERR_FILENO) == 1), last_line_ns_(monotonic_now_ns()) {}

StderrScreen::~StderrScreen() {
  if (line_shown_) write_all(kClearLine);
}

std::size_t StderrScreen::columns() const { return terminal_columns(STDERR_FILENO); }

bool StderrScreen::colour() const { return wants_colour(STDERR_FILENO); }

void StderrScreen::say(std::string_view text) {
  std::string out;
  if (line_shown_) out += kClearLine;
  line_shown_ = false;
  out += text;
  out += '\n';
  write_all(out);
}

void StderrScreen::live(std::string_view line) {
  if (mode_ == session::LiveMode::kNever) return;
  if (terminal_) {
    // The program shares this terminal; only an explicit wish puts our line between its own.
    if (mode_ != session::LiveMode::kAlways) return;
    write_all(std::string(kClearLine) + utf8_truncate(line, columns() - 1));
    line_shown_ = !line.empty();
    return;
  }
  const std::int64_t now_ns = monotonic_now_ns();
  if (line.empty() || now_ns - last_line_ns_ < kLogPeriod_ns) return;
  last_line_ns_ = now_ns;
  write_all("latido:" + std::string(line) + "\n");
}

}  // namespace latido::cli
