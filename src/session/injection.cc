#include "session/injection.h"

#include <algorithm>

namespace latido::session {
namespace {

void set(std::vector<std::string>& environment, const std::string& name, const std::string& value) {
  const std::string start = name + "=";
  const auto it = std::ranges::find_if(
      environment, [&](const std::string& entry) { return entry.starts_with(start); });
  if (it == environment.end()) {
    environment.push_back(start + value);
  } else {
    *it = start + value;
  }
}

}  // namespace

std::string environment_value(const std::vector<std::string>& environment,
                              const std::string& name) {
  const std::string start = name + "=";
  for (const std::string& entry : environment) {
    if (entry.starts_with(start)) return entry.substr(start.size());
  }
  return {};
}

std::vector<std::string> inject(const std::vector<std::string>& environment,
                                const Injection& injection) {
  std::vector<std::string> out = environment;
  set(out, "LATIDO_SOCKET", injection.socket_path);
  set(out, "LATIDO_RUN_ID", injection.run_id);
  set(out, "LATIDO_HOME", injection.home);
  set(out, "LATIDO_RUN_FUNCTIONS", injection.functions);
  set(out, "LATIDO_RUN_INCLUDE", injection.include);
  set(out, "LATIDO_RUN_EXCLUDE", injection.exclude);
  set(out, "LATIDO_RUN_LAYERS", injection.layers ? "true" : "false");
  if (!injection.python_hook_folder.empty()) {
    const std::string before = environment_value(environment, "PYTHONPATH");
    set(out, "PYTHONPATH",
        before.empty() ? injection.python_hook_folder
                       : injection.python_hook_folder + ":" + before);
  }
  return out;
}

}  // namespace latido::session
