#include "session/source_lines.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/unique_fd.h"

namespace latido::session {
namespace {

constexpr std::size_t kMostBytes = 4U << 20U;
constexpr std::size_t kMostLetters = 300;  // of a line

// A recording may come from anybody and name any file: only what is source code by its name is shown.
bool is_source(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 12> kExtensions{
      ".py", ".pyx", ".pyi", ".c", ".cc", ".cpp", ".cxx", ".cu", ".cuh", ".h", ".hh", ".hpp"};
  return std::ranges::find(kExtensions, path.extension().string()) != kExtensions.end();
}

std::int64_t changed_ns(const struct stat& status) {
  return status.st_mtim.tv_sec * std::int64_t{1'000'000'000} + status.st_mtim.tv_nsec;
}

std::optional<std::string> read_unchanged(const std::filesystem::path& path,
                                          std::int64_t since_wall_ns) {
  if (!is_source(path)) return std::nullopt;
  // Not to wait where the name is that of a pipe.
  const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY));
  struct stat status {};
  if (!file || ::fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  if (status.st_size < 0 || static_cast<std::size_t>(status.st_size) > kMostBytes) {
    return std::nullopt;
  }
  if (changed_ns(status) > since_wall_ns) return std::nullopt;
  std::string text(static_cast<std::size_t>(status.st_size), '\0');
  std::size_t filled = 0;
  while (filled < text.size()) {
    const ssize_t got = ::read(file.get(), text.data() + filled, text.size() - filled);
    if (got <= 0) return std::nullopt;
    filled += static_cast<std::size_t>(got);
  }
  return text;
}

// Line `number` (from 1) without the blanks around it; empty when there is none.
std::string_view line_of(std::string_view text, std::uint32_t number) {
  if (number == 0) return {};
  for (; number > 1 && !text.empty(); --number) {
    const std::size_t end = text.find('\n');
    text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
  }
  text = text.substr(0, text.find('\n'));
  constexpr std::string_view kBlanks = " \t\r\f";
  const std::size_t first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  text.remove_prefix(first);
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  return text.substr(0, kMostLetters);
}

}  // namespace

void read_source_lines(analysis::RunFacts& facts) {
  std::map<std::string, std::vector<analysis::LineTime*>> by_file;
  for (analysis::RankFacts& rank : facts.ranks) {
    for (auto* lines : {&rank.lines, &rank.worker_lines}) {
      for (analysis::LineTime& line : *lines) by_file[line.file].push_back(&line);
    }
  }
  for (const auto& [file, lines] : by_file) {
    const std::filesystem::path path = std::filesystem::path(facts.run.folder) / file;
    const auto text = read_unchanged(path, facts.run.started_wall_ns);
    if (!text) continue;
    for (analysis::LineTime* line : lines) line->source = line_of(*text, line->line);
  }
}

}  // namespace latido::session
