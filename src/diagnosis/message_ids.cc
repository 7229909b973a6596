#include "diagnosis/message_ids.h"

#include <algorithm>
#include <iterator>

namespace latido::diagnosis {
namespace {

bool is_optional(std::string_view param) { return param.ends_with('?'); }

std::string_view key_of(std::string_view param) {
  return is_optional(param) ? param.substr(0, param.size() - 1) : param;
}

}  // namespace

std::string mismatch(const model::Message& message) {
  const auto* spec = std::ranges::find(kMessages, std::string_view(message.id), &MessageSpec::id);
  if (spec == std::end(kMessages)) return "unlisted id '" + message.id + "'";
  for (const std::string_view param : spec->params) {
    if (param.empty() || is_optional(param)) continue;
    if (message.params.find(param) == nullptr) {
      return message.id + " lacks '" + std::string(param) + "'";
    }
  }
  for (const auto& param : message.params.all) {
    const std::string& name = param.first;
    const bool listed = std::ranges::any_of(spec->params, [&](std::string_view wanted) {
      return !wanted.empty() && key_of(wanted) == name;
    });
    if (!listed) return message.id + " has unlisted '" + name + "'";
  }
  return {};
}

}  // namespace latido::diagnosis
