#include "capture/glob.h"

#include <algorithm>
#include <cstddef>

namespace latido::capture {
namespace {

bool any_matches(std::string_view patterns, std::string_view path, std::string_view name) noexcept {
  while (!patterns.empty()) {
    const std::size_t comma = std::min(patterns.find(','), patterns.size());
    const std::string_view pattern(patterns.data(), comma);  // substr() could throw
    patterns.remove_prefix(std::min(comma + 1, patterns.size()));
    if (pattern.empty()) continue;
    if (glob_matches(pattern, path) || glob_matches(pattern, name)) return true;
  }
  return false;
}

}  // namespace

// Goes back to the last star only, which is enough: an earlier one could not match more.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept {
  std::size_t at = 0;
  std::size_t star = std::string_view::npos;
  std::size_t retry = 0;
  std::size_t i = 0;
  while (i < text.size()) {
    if (at < pattern.size() && pattern[at] == '*') {
      star = at++;
      retry = i;
    } else if (at < pattern.size() && (pattern[at] == '?' || pattern[at] == text[i])) {
      ++at;
      ++i;
    } else if (star != std::string_view::npos) {
      at = star + 1;
      i = ++retry;
    } else {
      return false;
    }
  }
  return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

bool FunctionPatterns::wants(std::string_view path, std::string_view name) const noexcept {
  if (!include.empty() && !any_matches(include, path, name)) return false;
  return !any_matches(exclude, path, name);
}

}  // namespace latido::capture
