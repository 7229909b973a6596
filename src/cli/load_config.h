// Builds the Config in force: defaults, latido.toml, the environment, --set.
#pragma once

#include <string>
#include <vector>

#include "base/result.h"
#include "cli/config.h"

namespace latido::cli {

struct ConfigFlags {
  std::string file;  // --config; empty: LATIDO_CONFIG, else ./latido.toml if it is there
  std::vector<std::string> sets;  // --set key=value
  std::string home;               // --home
  std::string language;           // --lang; else LATIDO_LANG, LC_ALL, LC_MESSAGES, LANG
};

// Errors: kNotFound for a named file that is not there, kInvalidInput for what is in it.
Result<Config> load_config(const ConfigFlags& flags, const std::vector<std::string>& environment);

}  // namespace latido::cli
