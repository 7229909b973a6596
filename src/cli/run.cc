// latido run: profile a program.
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <memory>

#include "cli/command.h"
#include "cli/install_paths.h"
#include "cli/load_config.h"
#include "cli/stderr_screen.h"
#include "cli/version.h"
#include "session/child_process.h"
#include "session/injection.h"
#include "session/session.h"

namespace latido::cli {
namespace {

struct RunFlags {
  ConfigFlags config;
  bool print_config = false;
  bool live = false;
  bool no_live = false;
  bool no_report = false;
  bool no_python = false;
  bool measure_overhead = false;
  std::string overhead;
  std::string telemetry_hz;
  bool layers = false;
  std::string functions;
  std::string sample_hz;
  std::vector<std::string> include;
  std::vector<std::string> exclude;
};

std::string joined(const std::vector<std::string>& patterns) {
  std::string out;
  for (const std::string& pattern : patterns) {
    if (!out.empty()) out += ',';
    out += pattern;
  }
  return out;
}

Status apply_run_flags(const RunFlags& flags, Config& config) {
  std::vector<std::array<std::string, 3>> set;  // key, value, flag
  if (flags.live) set.push_back({"run.live", "always", "--live"});
  if (flags.no_live) set.push_back({"run.live", "never", "--no-live"});
  if (flags.no_report) set.push_back({"run.report_at_end", "false", "--no-report"});
  if (flags.no_python) set.push_back({"run.python_hooks", "false", "--no-python"});
  if (flags.measure_overhead) set.push_back({"run.measure_overhead", "true", "--measure-overhead"});
  if (!flags.overhead.empty()) {
    set.push_back({"run.overhead_budget_ratio", flags.overhead, "--overhead"});
  }
  if (!flags.telemetry_hz.empty()) {
    set.push_back({"run.telemetry_hz", flags.telemetry_hz, "--telemetry-hz"});
  }
  if (flags.layers) set.push_back({"run.layers", "true", "--layers"});
  if (!flags.functions.empty()) set.push_back({"run.functions", flags.functions, "--functions"});
  if (!flags.sample_hz.empty()) set.push_back({"run.sample_hz", flags.sample_hz, "--sample"});
  if (!flags.include.empty()) set.push_back({"run.include", joined(flags.include), "--include"});
  if (!flags.exclude.empty()) set.push_back({"run.exclude", joined(flags.exclude), "--exclude"});
  for (const auto& [key, value, flag] : set) {
    if (auto status = apply_flag(config, key, value, flag); !status) return status;
  }
  return ok();
}

int exit_code_of(const Error& error) {
  if (error.code == ErrorCode::kNotFound) return kNotFound;
  if (error.code == ErrorCode::kInvalidInput) return kNotExecutable;
  return kLatidoFailed;
}

// Ends as the program did: with its code, or by its signal, so that a shell sees no difference.
int end_like(const session::ExitStatus& status) {
  if (status.signal == 0) return status.code;
  std::fflush(nullptr);
  std::signal(status.signal, SIG_DFL);
  sigset_t one;
  ::sigemptyset(&one);
  ::sigaddset(&one, status.signal);
  ::sigprocmask(SIG_UNBLOCK, &one, nullptr);
  // A second core file, of latido, would bury the program's own.
  session::forbid_core_dump();
  ::raise(status.signal);
  return 128 + status.signal;
}

// Inside another run the program belongs to that one: become it.
int join_outer_run(const std::vector<std::string>& arguments) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (const std::string& argument : arguments) argv.push_back(const_cast<char*>(argument.c_str()));
  argv.push_back(nullptr);
  ::execvp(argv[0], argv.data());
  const int why = errno;
  const Error error = session::start_error(why, arguments.front());
  return fail(error, exit_code_of(error));
}

void say_home_is_ignored(const std::vector<std::string>& environment) {
  const std::string home = session::environment_value(environment, "LATIDO_HOME");
  std::fprintf(stderr,
               "latido: --home does not apply inside another run: what this program records "
               "belongs to that one%s%s\n",
               home.empty() ? "" : ", in ", home.c_str());
}

int run(const RunFlags& flags, const std::vector<std::string>& arguments) {
  const std::vector<std::string> environment = current_environment();
  auto config = load_config(flags.config, environment);
  if (!config) return fail(config.error(), kUsage);
  if (auto status = apply_run_flags(flags, config.value()); !status) {
    return fail(status.error(), kUsage);
  }
  if (flags.print_config) {
    std::fputs(print_config(config.value()).c_str(), stdout);
    return kOk;
  }
  if (arguments.empty()) {
    return fail(
        {ErrorCode::kInvalidInput, "what to run? For instance: latido run -- python train.py"},
        kUsage);
  }
  if (session::outer_run_is_alive(environment)) {
    if (!flags.config.home.empty()) say_home_is_ignored(environment);
    return join_outer_run(arguments);
  }

  // Who asks for every call wants every call, unless a budget is asked for too.
  session::Settings& settings = config.value().settings;
  settings.keep_overhead_budget = settings.functions != session::FunctionMode::kFull ||
                                  config.value().origin.contains("run.overhead_budget_ratio");
  if (config.value().origin.contains("run.sample_hz")) settings.sample_core_ratio = 0;

  std::error_code ignored;
  const session::Command command{.arguments = arguments,
                                 .environment = environment,
                                 .folder = std::filesystem::current_path(ignored),
                                 .python_package = python_package_folder(),
                                 .latido_version = kVersion};
  StderrScreen screen(settings.live);
  auto ended = session::record(settings, command, screen);
  if (!ended) return fail(ended.error(), exit_code_of(ended.error()));
  return end_like(ended.value());
}

}  // namespace

void add_run(CLI::App& app, Chosen& chosen, std::vector<std::string> after_dashes) {
  CLI::App* const command =
      app.add_subcommand("run", "Profile a program: latido run -- python train.py");
  auto flags = std::make_shared<RunFlags>();
  command->add_option("--config", flags->config.file, "Configuration file (else ./latido.toml)");
  command->add_option("--set", flags->config.sets, "A setting, for instance run.telemetry_hz=10")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--home", flags->config.home,
                      "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->add_option("--lang", flags->config.language, "Language of the report: en, es, it");
  command->add_option("--telemetry-hz", flags->telemetry_hz, "Host samples a second, 0.1 to 100");
  command->add_option("--functions", flags->functions,
                      "Record the program's functions: off, adaptive, full");
  command->add_flag("--layers", flags->layers,
                    "Time, FLOPs and memory of PyTorch modules, on a few of the steps");
  command->add_option("--sample", flags->sample_hz,
                      "Looks a second at the stacks of Python programs, 0 for none");
  command
      ->add_option("--include", flags->include,
                   "Record only functions whose module, path or name matches; may be repeated")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--exclude", flags->exclude, "Do not record functions that match")
      ->take_all()
      ->allow_extra_args(false);
  command->add_option("--overhead", flags->overhead,
                      "Share of the time that recording may take, 0.01 if not given");
  command->add_flag(
      "--measure-overhead", flags->measure_overhead,
      "Take turns with and without functions, layers and stacks to measure their cost");
  command->add_flag("--print-config", flags->print_config,
                    "Show every setting and where it comes from");
  command->add_flag("--live", flags->live, "Show the live line also where the program writes");
  command->add_flag("--no-live", flags->no_live, "No live line and no line a minute");
  command->add_flag("--no-report", flags->no_report,
                    "Record only; see it later with latido report");
  command->add_flag("--no-python", flags->no_python,
                    "Do not record Python and PyTorch by themselves");
  // Everything from the first word that is no flag of ours on belongs to the program.
  command->prefix_command();
  command->callback([&chosen, command, flags, after_dashes = std::move(after_dashes)] {
    std::vector<std::string> arguments = command->remaining();
    arguments.insert(arguments.end(), after_dashes.begin(), after_dashes.end());
    chosen = [flags, arguments] { return run(*flags, arguments); };
  });
}

}  // namespace latido::cli
