#include "report/golden.h"

#include <cstdlib>
#include <fstream>
#include <sstream>

namespace latido::report::golden {
namespace {

std::string read(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

std::string difference(const std::string& name, std::string_view got) {
  const std::string path = std::string(LATIDO_GOLDEN_DIR) + "/" + name;
  if (std::getenv("LATIDO_UPDATE_GOLDEN") != nullptr) {
    std::ofstream(path, std::ios::binary) << got;
    return {};
  }
  const std::string want = read(path);
  if (want == got) return {};
  std::istringstream want_lines(want);
  std::istringstream got_lines{std::string(got)};
  std::string want_line;
  std::string got_line;
  for (int line = 1;; ++line) {
    const bool more_want = static_cast<bool>(std::getline(want_lines, want_line));
    const bool more_got = static_cast<bool>(std::getline(got_lines, got_line));
    if (!more_want && !more_got) return name + " differs in its last newline";
    if (more_want != more_got || want_line != got_line) {
      return name + ":" + std::to_string(line) + "\n  want: " + (more_want ? want_line : "(end)") +
             "\n  got:  " + (more_got ? got_line : "(end)");
    }
  }
}

}  // namespace latido::report::golden
