// latido runs: what was recorded.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <array>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <memory>
#include <string>

#include "base/json_writer.h"
#include "cli/command.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "cli/stderr_screen.h"
#include "report/text_layout.h"
#include "store/run_index.h"

namespace latido::cli {
namespace {

struct RunsFlags {
  ConfigFlags config;
  std::string format = "terminal";
};

std::string started_text(std::int64_t wall_ns) {
  const std::time_t seconds = wall_ns / 1'000'000'000;
  std::tm local{};
  ::localtime_r(&seconds, &local);
  std::array<char, 32> buffer{};
  return {buffer.data(), std::strftime(buffer.data(), buffer.size(), "%Y-%m-%d %H:%M:%S", &local)};
}

std::string duration_text(std::int64_t wall_ns) {
  if (wall_ns < 0) return "-:--:--";  // no end was recorded
  const long seconds = static_cast<long>(wall_ns / 1'000'000'000);
  std::array<char, 32> buffer{};
  const int size = std::snprintf(buffer.data(), buffer.size(), "%ld:%02ld:%02ld", seconds / 3600,
                                 seconds / 60 % 60, seconds % 60);
  return {buffer.data(), static_cast<std::size_t>(size)};
}

std::string end_text(const store::RunEntry& entry) {
  switch (entry.state) {
    case store::RunState::kRecording:
      return "recording";
    case store::RunState::kInterrupted:
      return "recorder was killed";
    case store::RunState::kBroken:
      return "broken";
    case store::RunState::kFinished:
      break;
  }
  const model::RunEnd& end = entry.run.end;
  if (end.kind == model::EndKind::kSignal) return "signal " + std::to_string(end.signal);
  if (end.kind == model::EndKind::kNotStarted) return "not started";
  if (end.kind == model::EndKind::kRunning) return "left running";
  return "exit " + std::to_string(end.code);
}

std::string command_text(const model::Run& run) {
  std::string text;
  for (const std::string& argument : run.command) text += (text.empty() ? "" : " ") + argument;
  return text;
}

std::string as_text(const std::vector<store::RunEntry>& runs, std::size_t columns) {
  std::string out;
  for (const store::RunEntry& entry : runs) {
    std::string line;
    if (entry.state == store::RunState::kBroken) {
      line = " " + entry.id + "  broken: " + entry.problem;
    } else {
      line = " " + started_text(entry.run.started_wall_ns) + "  " +
             duration_text(entry.run.wall_ns()) + "  " + entry.run.name + "  " + end_text(entry) +
             "  " + command_text(entry.run);
    }
    out += report::cut_to(report::printable(line), columns) + "\n";
  }
  return out;
}

std::string as_json(const std::vector<store::RunEntry>& runs) {
  JsonWriter json;
  json.begin_object().key("schema").integer(1).key("runs").begin_array();
  for (const store::RunEntry& entry : runs) {
    json.begin_object().key("id").string(entry.id).key("name").string(entry.run.name);
    json.key("folder").string(entry.folder.string()).key("end").string(end_text(entry));
    json.key("started_wall_ns").integer(entry.run.started_wall_ns);
    json.key("wall_ns");
    if (entry.run.wall_ns() < 0) {
      json.null();
    } else {
      json.integer(entry.run.wall_ns());
    }
    json.key("command").string(command_text(entry.run));
    json.key("problem").string(entry.problem).end_object();
  }
  json.end_array().end_object();
  return json.text() + "\n";
}

int runs(const RunsFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  auto listed = store::list_runs(config.value().settings.home);
  if (!listed) return fail(listed.error());
  if (listed.value().empty() && flags.format != "json") {
    std::fprintf(stderr, "latido: no runs in %s yet: latido run -- python train.py\n",
                 config.value().settings.home.c_str());
    return kOk;
  }
  const bool terminal = ::isatty(STDOUT_FILENO) == 1;
  const std::string text =
      flags.format == "json"
          ? as_json(listed.value())
          : as_text(listed.value(), terminal ? terminal_columns(STDOUT_FILENO) : 200);
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
