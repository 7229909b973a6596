#include "report/hook_text.h"

#include <optional>

namespace latido::report {
namespace {

// A reason of python/latido/_hooks, with '#' where a name stands. A test reads those files and finds
// each of their reasons here. The first that fits counts.
struct Reason {
  std::string_view pattern;
  std::string_view id;
};
constexpr Reason kReasons[] = {
    {"no way to keep torch.compile out of the wrapper", "hook_why.compiler"},
    {"torch built without #", "hook_why.built_without"},
    {"# was imported first", "hook_why.imported_first"},
    {"# not imported by torch", "hook_why.not_imported"},
    {"# does not use #", "hook_why.does_not_use"},
    {"# has no #", "hook_why.has_no"},
    {"two different #", "hook_why.two"},
    {"no #", "hook_why.no"},
};

// The names in `text` where it fits the pattern; a name has no blank in it.
std::optional<model::Params> names_in(std::string_view text, std::string_view pattern) {
  model::Params names;
  constexpr std::string_view kKeys[] = {"what", "name"};
  std::size_t count = 0;
  while (!pattern.empty()) {
    if (pattern.front() != '#') {
      if (text.empty() || text.front() != pattern.front()) return std::nullopt;
      text.remove_prefix(1);
    } else {
      const std::string_view name = text.substr(0, text.find(' '));
      if (name.empty() || count == std::size(kKeys)) return std::nullopt;
      names.set(std::string(kKeys[count++]), std::string(name));
      text.remove_prefix(name.size());
    }
    pattern.remove_prefix(1);
  }
  return text.empty() ? std::optional(std::move(names)) : std::nullopt;
}

}  // namespace

HookState parse_hook_state(std::string_view state) noexcept {
  const std::string_view word = state.substr(0, state.find(':'));
  HookState parsed;
  if (word == "ok") parsed.kind = HookState::Kind::kOk;
  if (word == "absent") parsed.kind = HookState::Kind::kAbsent;
  if (word == "failed") parsed.kind = HookState::Kind::kFailed;
  const std::size_t why = state.find_first_not_of(": ", word.size());
  if (why != std::string_view::npos) parsed.reason = state.substr(why);
  return parsed;
}

std::string hook_reason_text(std::string_view reason, const Catalogue& catalogue) {
  for (const Reason& each : kReasons) {
    if (auto names = names_in(reason, each.pattern)) {
      return catalogue.say({.id = std::string(each.id), .params = *std::move(names)});
    }
  }
  return std::string(reason);
}

std::string hook_state_text(std::string_view state, const Catalogue& catalogue) {
  const HookState parsed = parse_hook_state(state);
  switch (parsed.kind) {
    case HookState::Kind::kAbsent:
      return catalogue.say("hook.absent", {{"reason", hook_reason_text(parsed.reason, catalogue)}});
    case HookState::Kind::kFailed:
      return catalogue.say("hook.failed", {{"reason", std::string(parsed.reason)}});
    case HookState::Kind::kOk:
    case HookState::Kind::kUnknown:
      break;
  }
  return std::string(state);
}

}  // namespace latido::report
