// latido report: show a run again, in any form.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "analysis/start_up_calls.h"
#include "cli/command.h"
#include "cli/find_run.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "cli/version.h"
#include "formats/gzip_members.h"
#include "report/collapsed.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/speedscope.h"
#include "report/terminal.h"
#include "session/export_timeline.h"
#include "session/load_run.h"
#include "session/source_lines.h"

namespace latido::cli {
namespace {

struct ReportFlags {
  ConfigFlags config;
  std::string run = "last";
  std::string format;
  std::string output;
  std::string exported;
  bool expanded = false;
  bool source = false;
  bool functions_list = false;
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

bool is_timeline(const std::string& form) { return form == "perfetto" || form == "chrome"; }

// Compressed where the file's name says so.
Status export_timeline(const std::filesystem::path& run, const ReportFlags& flags) {
  std::optional<Output> output;  // not made before there is something to write
  std::optional<formats::GzipMembers> gzip;
  if (flags.output.ends_with(".gz")) gzip.emplace();
  const auto write = [&](std::string_view bytes) -> Status {
    if (!output) {
      auto opened = Output::open(flags.output);
      if (!opened) return std::move(opened).error();
      output.emplace(std::move(opened).value());
    }
    return output->write(bytes);
  };
  const auto sink = [&](std::string_view bytes) { return write(gzip ? gzip->add(bytes) : bytes); };
  const Status status = flags.exported == "chrome" ? session::export_chrome(run, kVersion, sink)
                                                   : session::export_perfetto(run, sink);
  if (!status || !gzip) return status;
  return write(gzip->finish());
}

// What other tools open of the samples.
Result<std::string> export_stacks(const session::LoadedRun& run, const std::string& form) {
  if (run.facts.calls.empty()) {
    return Error{ErrorCode::kNotFound,
                 "no stacks were sampled in this run; record one with: latido run --sample 100"};
  }
  const model::CallTree calls = analysis::with_start_up_apart(run.facts.calls, "(start-up)");
  if (form == "collapsed") return report::render_collapsed(calls);
  return report::render_speedscope(calls, run.facts.run.name, std::string("latido ") + kVersion);
}

int report(const ReportFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  if (auto fits = check_output(flags.format, flags.output); !fits) {
    return fail(fits.error(), kUsage);
  }
  const session::Settings& settings = config.value().settings;
  auto path = find_run(settings, flags.run);
  if (!path) return fail(path.error());
  if (is_timeline(flags.exported)) {
    const auto status = export_timeline(path.value(), flags);
    return status ? kOk : fail(status.error());
  }
  auto run = session::load_run(path.value(), settings.thresholds);
  if (!run) return fail(run.error());
  if (!flags.exported.empty()) {
    auto text = export_stacks(run.value(), flags.exported);
    if (!text) return fail(text.error());
    const auto status = write_output(text.value(), flags.output);
    return status ? kOk : fail(status.error());
  }
  if (!flags.functions_list) run.value().facts.function_list.clear();
  // Source code goes to nobody but who sits here, unless it is asked for.
  const bool to_terminal =
      flags.output.empty() && output_format(flags.format, flags.output) == "terminal";
  if (flags.source || to_terminal) session::read_source_lines(run.value().facts);
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
      ->add_option("--export", flags->exported,
                   "For other tools: perfetto or chrome (the timeline), collapsed or speedscope "
                   "(the samples)")
      ->check(CLI::IsMember({"perfetto", "chrome", "collapsed", "speedscope"}))
      ->excludes("--format");
  command->add_option("-o,--output", flags->output, "File to write to, else stdout");
  command->add_flag("--all", flags->expanded, "Every table, also where steps explain the run");
  command->add_flag("--functions-list", flags->functions_list,
                    "Every function that ran: recorded, elided or excluded");
  command->add_flag("--source", flags->source,
                    "Show source lines in files too (the terminal always does)");
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
