#include "stacks/memory_map.h"

#include <algorithm>
#include <charconv>

namespace latido::stacks {
namespace {

constexpr std::string_view kDeleted = " (deleted)";

// The next word of `line`, which is cut by it.
std::string_view take_word(std::string_view& line) {
  line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
  const std::string_view word = line.substr(0, line.find(' '));
  line.remove_prefix(word.size());
  return word;
}

bool parse_hex(std::string_view text, std::uint64_t& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, 16);
  return error == std::errc{} && end == text.data() + text.size();
}

std::string_view base_name(std::string_view path) noexcept {
  return path.substr(path.rfind('/') + 1);
}

}  // namespace

std::vector<MappedFile> parse_memory_map(std::string_view text) {
  std::vector<MappedFile> files;
  while (!text.empty()) {
    std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    const std::string_view range = take_word(line);
    take_word(line);  // permissions
    std::uint64_t offset = 0;
    std::uint64_t begin = 0;
    if (!parse_hex(take_word(line), offset) || offset != 0) continue;
    if (!parse_hex(range.substr(0, range.find('-')), begin)) continue;
    take_word(line);  // device
    take_word(line);  // inode
    line.remove_prefix(std::min(line.find_first_not_of(' '), line.size()));
    if (!line.starts_with('/')) continue;
    if (line.ends_with(kDeleted)) line.remove_suffix(kDeleted.size());
    const bool known = std::ranges::any_of(files, [line](const auto& f) { return f.path == line; });
    if (!known) files.push_back({begin, std::string(line)});
  }
  return files;
}

bool is_named_like_python(std::string_view path) noexcept {
  const std::string_view name = base_name(path);
  return name.starts_with("libpython") || name.starts_with("python");
}

int minor_in_name(std::string_view path) noexcept {
  const std::string_view name = base_name(path);
  constexpr std::string_view kMajor = "python3.";
  const std::size_t at = name.find(kMajor);
  if (at == std::string_view::npos) return -1;
  const std::string_view digits = name.substr(at + kMajor.size());
  int minor = -1;
  std::from_chars(digits.data(), digits.data() + digits.size(), minor);
  return minor;
}

}  // namespace latido::stacks
