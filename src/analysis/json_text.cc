#include "analysis/json_text.h"

#include <cstddef>
#include <nlohmann/json.hpp>

namespace latido::analysis {
namespace {

constexpr int kMaxDepth = 8;

// Drops what lies too deep, so that a hostile text cannot make the tree deep.
bool is_shallow(int depth, nlohmann::json::parse_event_t /*event*/, nlohmann::json& /*parsed*/) {
  return depth <= kMaxDepth;
}

}  // namespace

std::optional<JsonText> JsonText::parse(std::string_view text) {
  if (text.size() > kMaxBytes) return std::nullopt;
  const nlohmann::json root = nlohmann::json::parse(text, is_shallow, /*allow_exceptions=*/false);
  if (!root.is_object()) return std::nullopt;
  JsonText result;
  for (const auto& [key, value] : root.items()) {
    if (const auto* const string = value.get_ptr<const std::string*>()) {
      result.members_.emplace(key, *string);
    } else if (value.is_number_unsigned()) {
      const auto number = value.get<std::uint64_t>();
      if (number <= INT64_MAX) result.members_.emplace(key, static_cast<std::int64_t>(number));
    } else if (value.is_number_integer()) {
      result.members_.emplace(key, value.get<std::int64_t>());
    } else if (value.is_boolean()) {
      result.members_.emplace(key, value.get<bool>() ? 1 : 0);
    }
  }
  return result;
}

std::optional<std::int64_t> JsonText::integer(const std::string& key) const {
  const auto it = members_.find(key);
  if (it == members_.end()) return std::nullopt;
  const auto* const number = std::get_if<std::int64_t>(&it->second);
  return number == nullptr ? std::nullopt : std::optional(*number);
}

std::string JsonText::string(const std::string& key) const {
  const auto it = members_.find(key);
  if (it == members_.end()) return {};
  const auto* const text = std::get_if<std::string>(&it->second);
  return text == nullptr ? std::string() : *text;
}

}  // namespace latido::analysis
