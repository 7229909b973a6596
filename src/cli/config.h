// Config: the settings in force and where each came from: default < latido.toml < environment < flags.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/result.h"
#include "session/settings.h"

namespace latido::cli {

struct Config {
  session::Settings settings;
  std::map<std::string, std::string>
      origin;  // key → "default", "latido.toml:3", "LATIDO_…", "--set"
};

// Applies the text of a configuration file. Errors: kInvalidInput naming `file` and the line of an
// unknown key or section, a wrong type or a bad value.
Status apply_file(Config& config, const std::string& file, const std::string& text);

// Applies LATIDO_<SECTION>_<KEY> variables; `environment` holds "NAME=value". Errors: kInvalidInput
// naming a variable of a known section whose key is unknown, or whose value is bad.
Status apply_environment(Config& config, const std::vector<std::string>& environment);

// Applies one flag, named by `origin` ("--hz").
Status apply_flag(Config& config, const std::string& key, const std::string& value,
                  const std::string& origin);

// Each setting with its value and origin, as a latido.toml that would set the same.
std::string print_config(const Config& config);

}  // namespace latido::cli
