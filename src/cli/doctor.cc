// latido doctor: what this machine allows.
#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <string>

#include "base/json_writer.h"
#include "base/utf8.h"
#include "cli/command.h"
#include "cli/install_paths.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "session/machine_check.h"

namespace latido::cli {
namespace {

using session::CheckState;
using session::MachineCheck;

struct DoctorFlags {
  ConfigFlags config;
  std::string format = "terminal";
};

const char* state_text(CheckState state) {
  switch (state) {
    case CheckState::kOk:
      return "ok";
    case CheckState::kLimited:
      return "limited";
    case CheckState::kMissing:
      break;
  }
  return "missing";
}

std::string as_text(const std::vector<MachineCheck>& checks) {
  std::size_t width = 0;
  for (const MachineCheck& check : checks) width = std::max(width, utf8_length(check.name));
  std::string out;
  for (const MachineCheck& check : checks) {
    std::string state = state_text(check.state);
    state.resize(8, ' ');
    out += " " + check.name + std::string(width - utf8_length(check.name) + 2, ' ') + state +
           check.detail + "\n";
  }
  return out;
}

std::string as_json(const std::vector<MachineCheck>& checks) {
  JsonWriter json;
  json.begin_object().key("schema").integer(1).key("checks").begin_array();
  for (const MachineCheck& check : checks) {
    json.begin_object().key("name").string(check.name).key("state").string(state_text(check.state));
    json.key("detail").string(check.detail).end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

int doctor(const DoctorFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  const session::Settings& settings = config.value().settings;
  const auto checks = session::check_machine(
      {.folder = settings.home, .fallback = settings.home_fallback}, python_package_folder());
  const std::string text = flags.format == "json" ? as_json(checks) : as_text(checks);
  if (auto status = write_output(text, ""); !status) return fail(status.error());
  const bool all_there = std::ranges::none_of(
      checks, [](const MachineCheck& check) { return check.state == CheckState::kMissing; });
  return all_there ? kOk : kFailed;
}

}  // namespace

void add_doctor(CLI::App& app, Chosen& chosen) {
  CLI::App* const command =
      app.add_subcommand("doctor", "Say what this machine allows Latido to see");
  auto flags = std::make_shared<DoctorFlags>();
  command->add_option("--format", flags->format, "terminal or json")
      ->check(CLI::IsMember({"terminal", "json"}));
  command->add_option("--home", flags->config.home,
                      "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->callback([&chosen, flags] { chosen = [flags] { return doctor(*flags); }; });
}

}  // namespace latido::cli
