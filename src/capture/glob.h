// Patterns with * and ?, as --include and --exclude have them. No allocation, no locale: unlike fnmatch(3)
// it can run inside any program at any time.
#pragma once

#include <string_view>

namespace latido::capture {

// The whole of `text`; a * also takes slashes.
bool glob_matches(std::string_view pattern, std::string_view text) noexcept;

// Lists separated by commas; empty ones mean nothing. The texts must outlive this.
struct FunctionPatterns {
  std::string_view include{};
  std::string_view exclude{};

  // A module counts by its path and by the name of its file.
  bool wants(std::string_view path, std::string_view name) const noexcept;
};

}  // namespace latido::capture
