// The environment that makes a program record itself. Pure.
#pragma once

#include <string>
#include <vector>

namespace latido::session {

struct Injection {
  std::string socket_path;
  std::string run_id;
  std::string home;
  std::string python_hook_folder;  // folder with our sitecustomize.py; empty: no Python hooks
  std::string functions = "off";   // Settings::functions as text
  std::string include{};           // Settings::include and exclude
  std::string exclude{};
  bool layers = false;  // Settings::layers
};

// `environment` ("NAME=value" each) with what the in-process parts need: LATIDO_SOCKET, LATIDO_RUN_ID,
// LATIDO_HOME, our folder in front of PYTHONPATH, and the settings that hold in the program itself under
// the names that they have in the environment. Other variables stay as they are.
std::vector<std::string> inject(const std::vector<std::string>& environment,
                                const Injection& injection);

// The value of `name` in `environment`, "" when it is not set.
std::string environment_value(const std::vector<std::string>& environment, const std::string& name);

}  // namespace latido::session
