// latido report: show a run again, in any form.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/find_run.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "cli/version.h"
#include "report/collapsed.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/speedscope.h"
#include "report/terminal.h"
#include "session/export_timeline.h"
#include "session/load_run.h"

namespace latido::cli {
namespace {

struct ReportFlags {
  ConfigFlags config;
  std::string run = "last";
  std::string format;
  std::string output;
  std::string exported;
  bool expanded = false;
};

std::string render(const session::LoadedRun& run, const ReportFlags& flags,
                   const session::Settings& settings) {
  const std::string format = output_format(flags.format, flags.output);
  if (format == "json") return report::render_json(run.facts, run.diagnosis);
  if (format == "html") {
    return report::render_html(run.facts, run.diagnosis, settings.language,
                               settings.overhead_budget_ratio);
  }
  if (format == "md") {
    return report::render_markdown(run.facts, run.diagnosis, settings.language,
                                   settings.overhead_budget_ratio);
  }
  report::TerminalOptions options = stdout_options(settings, flags.output);
  options.expanded = flags.expanded;
  return report::render_terminal(run.facts, run.diagnosis, options);
}

// What other tools open.
Result<std::string> export_run(const session::LoadedRun& run, const std::filesystem::path& path,
                               const std::string& form) {
  if (form == "perfetto") return session::export_timeline(path);
  if (run.facts.calls.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no stacks were sampled in this run; record one with: latido run --sample 100"};
  }
  if (form == "collapsed") return report::render_collapsed(run.facts.calls);
  return report::render_speedscope(run.facts.calls, run.facts.run.name,
                                   std::string("latido ") + kVersion);
}

int report(const ReportFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  const session::Settings& settings = config.value().settings;
  auto path = find_run(settings, flags.run);
  if (!path) return fail(path.error());
  auto run = session::load_run(path.value(), settings.thresholds);
  if (!run) return fail(run.error());
  if (!flags.exported.empty()) {
    auto text = export_run(run.value(), path.value(), flags.exported);
    if (!text) return fail(text.error());
    const auto status = write_output(text.value(), flags.output);
    return status ? kOk : fail(status.error());
  }
  if (auto status = write_output(render(run.value(), flags, settings), flags.output); !status) {
    return fail(status.error());
  }
  return kOk;
}

}  // namespace

void add_report(CLI::App& app, Chosen& chosen) {
  CLI::App* const command =
      app.add_subcommand("report", "Show what a run says: latido report last");
  auto flags = std::make_shared<ReportFlags>();
  command->add_option("run", flags->run, "ULID, its start, name, last, last~N, or a path")
      ->capture_default_str();
  command
      ->add_option("--format", flags->format,
                   "terminal, html, json or md (else by -o, else terminal)")
      ->check(CLI::IsMember({"terminal", "html", "json", "md"}));
  command
      ->add_option(
          "--export", flags->exported,
          "For other tools: perfetto (the timeline), collapsed or speedscope (the samples)")
      ->check(CLI::IsMember({"perfetto", "collapsed", "speedscope"}))
      ->excludes("--format");
  command->add_option("-o,--output", flags->output, "File to write to, else stdout");
  command->add_flag("--all", flags->expanded, "Every table, also where steps explain the run");
  command->add_option("--lang", flags->config.language, "Language: en, es, it");
  command->add_option("--config", flags->config.file, "Configuration file (else ./latido.toml)");
  command
      ->add_option("--set", flags->config.sets,
                   "A setting, for instance thresholds.other_ratio=0.2")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--home", flags->config.home,
                      "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->callback([&chosen, flags] { chosen = [flags] { return report(*flags); }; });
}

}  // namespace latido::cli
