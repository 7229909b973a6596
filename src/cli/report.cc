// latido report: show a run again, in any form.
#include <unistd.h>

#include <CLI/CLI.hpp>

#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/find_run.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "cli/stderr_screen.h"
#include "report/html.h"
#include "report/json.h"
#if __has_include("report/markdown.h")
#include "report/markdown.h"
#endif
#include "report/terminal.h"
#include "session/load_run.h"

namespace latido::cli {
namespace {

struct ReportFlags {
  ConfigFlags config;
  std::string run = "last";
  std::string format;
  std::string output;
  bool expanded = false;
};

// The form that the file name asks for, where --format does not.
std::string format_of(const ReportFlags& flags) {
  if (!flags.format.empty()) return flags.format;
  const std::size_t dot = flags.output.rfind('.');
  const std::string extension = dot == std::string::npos ? "" : flags.output.substr(dot + 1);
  if (extension == "html" || extension == "json" || extension == "md") return extension;
  return "terminal";
}

std::string render(const session::LoadedRun& run, const ReportFlags& flags,
                   const session::Settings& settings) {
  const std::string format = format_of(flags);
  if (format == "json") return report::render_json(run.facts, run.diagnosis);
  if (format == "html") return report::render_html(run.facts, run.diagnosis, settings.language);
#if __has_include("report/markdown.h")
  if (format == "md") return report::render_markdown(run.facts, run.diagnosis, settings.language);
#endif
  const bool to_terminal = flags.output.empty();
  return report::render_terminal(
      run.facts, run.diagnosis,
      {.columns = to_terminal ? terminal_columns(STDOUT_FILENO) : 80,
       .colour = to_terminal && wants_colour(STDOUT_FILENO),
       .language = settings.language,
       .expanded = flags.expanded,
       .overhead_budget_ratio = settings.overhead_budget_ratio});
}

int report(const ReportFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  const session::Settings& settings = config.value().settings;
  auto path = find_run(settings, flags.run);
  if (!path) return fail(path.error());
  auto run = session::load_run(path.value(), settings.thresholds);
  if (!run) return fail(run.error());
  if (auto status = write_output(render(run.value(), flags, settings), flags.output); !status) {
    return fail(status.error());
  }
  return kOk;
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  CLI::App* const command = app.add_subcommand("report", "Show what a run says: latido report last");
  auto flags = std::make_shared<ReportFlags>();
  command->add_option("run", flags->run, "ULID, its start, name, last, last~N, or a path")
      ->capture_default_str();
  command->add_option("--format", flags->format, "terminal, html, json or md (else by -o, else terminal)")
      ->check(CLI::IsMember({"terminal", "html", "json", "md"}));
  command->add_option("-o,--output", flags->output, "File to write to, else stdout");
  command->add_flag("--all", flags->expanded, "Every table, also where steps explain the run");
  command->add_option("--lang", flags->config.language, "Language: en, es, it");
  command->add_option("--config", flags->config.file, "Configuration file (else ./latido.toml)");
  command->add_option("--set", flags->config.sets, "A setting, for instance thresholds.other_ratio=0.2")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--home", flags->config.home, "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->callback([&chosen, flags] { chosen = [flags] { return report(*flags); }; });
}

}  // namespace latido::cli
