// latido runs: what was recorded.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/json_writer.h"
#include "cli/command.h"
#include "cli/find_run.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "cli/runs_table.h"
#include "cli/stderr_screen.h"
#include "store/run_index.h"
#include "store/sqlite/run_catalog.h"
#include "store/sqlite/run_database.h"

namespace latido::cli {
namespace {

struct RunsFlags {
  ConfigFlags config;
  std::string format = "terminal";
};

// What run.db has ready; a run that cannot be read is listed without it.
RunLine line_of(store::RunEntry entry) {
  RunLine line{.entry = std::move(entry)};
  auto database = store::open_run_database(line.entry.folder / "run.db");
  if (!database) return line;
  store::RunCatalog catalog(database.value());
  if (auto diagnosis = catalog.diagnosis()) line.verdict = std::move(diagnosis).value().verdict;
  if (const auto mean_ns = catalog.mean_step_ns()) line.mean_step_ns = mean_ns.value();
  return line;
}

std::string as_json(const std::vector<RunLine>& runs) {
  JsonWriter json;
  json.begin_object().key("schema").integer(1).key("runs").begin_array();
  const auto known_or_null = [&](bool known, std::int64_t value) {
    if (known) {
      json.integer(value);
    } else {
      json.null();
    }
  };
  for (const RunLine& line : runs) {
    const store::RunEntry& entry = line.entry;
    json.begin_object().key("id").string(entry.id).key("name").string(entry.run.name);
    json.key("folder").string(entry.folder.string()).key("end").string(end_text(entry));
    json.key("started_wall_ns").integer(entry.run.started_wall_ns);
    json.key("wall_ns");
    known_or_null(entry.run.wall_ns() >= 0, entry.run.wall_ns());
    json.key("verdict").string(line.verdict).key("mean_step_ns");
    known_or_null(line.mean_step_ns > 0, line.mean_step_ns);
    json.key("command").string(command_text(entry.run));
    json.key("problem").string(entry.problem).end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

int runs(const RunsFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  const std::vector<std::filesystem::path> homes = homes_of(config.value().settings);
  auto listed = store::list_runs(homes);
  if (!listed) return fail(listed.error());
  if (listed.value().empty() && flags.format != "json") {
    std::fprintf(stderr, "latido: no runs in %s yet: latido run -- python train.py\n",
                 homes.front().c_str());
    return kOk;
  }
  std::vector<RunLine> lines;
  for (store::RunEntry& entry : listed.value()) lines.push_back(line_of(std::move(entry)));
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const std::string text =
      flags.format == "json" ? as_json(lines)
                             : runs_table(lines, terminal ? terminal_columns(STDOUT_FILENO) : 200) +
                                   elsewhere_text(lines, homes.front());
  if (auto status = write_output(text, ""); !status) return fail(status.error());
  return kOk;
}

}  // namespace

void add_runs(CLI::App& app, Chosen& chosen) {
  CLI::App* const command = app.add_subcommand("runs", "List what was recorded, newest first");
  auto flags = std::make_shared<RunsFlags>();
  command->add_option("--format", flags->format, "terminal or json")
      ->check(CLI::IsMember({"terminal", "json"}));
  command->add_option("--home", flags->config.home,
                      "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->callback([&chosen, flags] { chosen = [flags] { return runs(*flags); }; });
}

}  // namespace latido::cli
