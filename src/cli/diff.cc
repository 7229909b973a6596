// latido diff: two runs beside each other, with a test.
#include "report/diff.h"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>
#include <string>

#include "cli/command.h"
#include "cli/find_run.h"
#include "cli/load_config.h"
#include "cli/output.h"
#include "diagnosis/compare.h"
#include "diagnosis/fail_if.h"
#include "session/load_run.h"

namespace latido::cli {
namespace {

struct DiffFlags {
  ConfigFlags config;
  std::string before;
  std::string after;
  std::string format;
  std::string output;
  std::string fail_if;
};

Result<session::LoadedRun> load(const session::Settings& settings, const std::string& selector) {
  auto path = find_run(settings, selector);
  if (!path) return std::move(path).error();
  return session::load_run(path.value(), settings.thresholds);
}

bool is_contended(const session::LoadedRun& run) {
  return std::ranges::find(run.diagnosis.findings, "cpu-contended", &model::Finding::rule) !=
         run.diagnosis.findings.end();
}

int exit_code_of(diagnosis::GateAnswer answer) {
  switch (answer) {
    case diagnosis::GateAnswer::kPass:
      return kOk;
    case diagnosis::GateAnswer::kRegression:
      return kWorse;
    case diagnosis::GateAnswer::kCannotTell:
      break;
  }
  return kCannotTell;
}

std::string render(const report::DiffInput& diff, const DiffFlags& flags,
                   const session::Settings& settings) {
  const std::string format = output_format(flags.format, flags.output);
  if (format == "json") return report::render_diff_json(diff);
  if (format == "html") return report::render_diff_html(diff, settings.language);
  if (format == "md") return report::render_diff_markdown(diff, settings.language);
  return report::render_diff_terminal(diff, stdout_options(settings, flags.output));
}

int diff(const DiffFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  if (auto fits = check_output(flags.format, flags.output); !fits) {
    return fail(fits.error(), kUsage);
  }
  const session::Settings& settings = config.value().settings;
  std::optional<diagnosis::FailIf> condition;
  if (!flags.fail_if.empty()) {
    auto parsed = diagnosis::parse_fail_if(flags.fail_if);
    if (!parsed) return fail(std::move(parsed).error().with_context("--fail-if"), kUsage);
    condition = parsed.value();
  }
  auto before = load(settings, flags.before);
  if (!before) return fail(before.error());
  auto after = load(settings, flags.after);
  if (!after) return fail(after.error());

  diagnosis::CompareOptions options;
  options.min_steps = static_cast<std::uint64_t>(settings.thresholds.min_steady_steps);
  options.before_contended = is_contended(before.value());
  options.after_contended = is_contended(after.value());
  const auto& said = before.value().said;
  if (said && !said->findings.empty()) options.predicted = said->findings.front();
  const auto comparison = diagnosis::compare(before.value().facts, after.value().facts, options);
  report::DiffInput input{
      .before = before.value().facts, .after = after.value().facts, .comparison = comparison};
  input.functions = analysis::compare_functions(input.before, input.after);
  int code = kOk;
  if (condition) {
    code = exit_code_of(diagnosis::judge(*condition, comparison));
    input.gate = report::DiffGate{.condition = flags.fail_if, .exit_code = code};
  }
  if (auto status = write_output(render(input, flags, settings), flags.output); !status) {
    return fail(status.error());
  }
  return code;
}

}  // namespace

void add_diff(CLI::App& app, Chosen& chosen) {
  CLI::App* const command =
      app.add_subcommand("diff", "Compare two runs, with a test: latido diff last~1 last");
  auto flags = std::make_shared<DiffFlags>();
  command->add_option("before", flags->before, "The run before the change")->required();
  command->add_option("after", flags->after, "The run after it")->required();
  command->add_option("--fail-if", flags->fail_if, "Exit with 3 when this holds: 'step > +3 %'");
  command->add_option("--format", flags->format, "terminal, html, json or md")
      ->check(CLI::IsMember({"terminal", "html", "json", "md"}));
  command->add_option("-o,--output", flags->output, "File to write to, else stdout");
  command->add_option("--lang", flags->config.language, "Language: en, es, it");
  command->add_option("--config", flags->config.file, "Configuration file (else ./latido.toml)");
  command->add_option("--home", flags->config.home,
                      "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->callback([&chosen, flags] { chosen = [flags] { return diff(*flags); }; });
}

}  // namespace latido::cli
