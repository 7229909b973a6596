// JsonText: the top level of a small JSON object that a recorder sent as text.
//
// The text is untrusted: at most kMaxBytes, no deeper than it must be to be skipped; anything but an
// object reads as none. The only place that sees the JSON library.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace latido::analysis {

class JsonText {
 public:
  static constexpr std::size_t kMaxBytes = 64U << 10U;

  // Empty when `text` is not one JSON object. Members that are objects, arrays or null are left out.
  static std::optional<JsonText> parse(std::string_view text);

  std::optional<std::int64_t> integer(const std::string& key) const;
  // Valid UTF-8, as long as it is; empty when there is none.
  std::string string(const std::string& key) const;

 private:
  std::map<std::string, std::variant<std::int64_t, std::string>> members_;
};

}  // namespace latido::analysis
