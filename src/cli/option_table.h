// The one list of settings: key, meaning, how to read and to print each. latido.toml, the environment
// and flags all go through it, so that a setting cannot exist in one of them only.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "session/settings.h"

namespace latido::cli {

struct Option {
  std::string key;  // "run.telemetry_hz": section and key of latido.toml
  std::string help;
  bool is_text = false;  // latido.toml holds it in quotes, also where it looks like a number
  // Parses and stores. Errors: kInvalidInput saying what would be right.
  std::function<Status(session::Settings&, std::string_view)> set;
  std::function<std::string(const session::Settings&)> get;
};

const std::vector<Option>& option_table();

// Of any setting: the "run" of "run.home".
bool is_section(std::string_view name);

}  // namespace latido::cli
