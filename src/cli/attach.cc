// latido attach: watch a program that runs already.
#include "session/attach.h"

#include <CLI/CLI.hpp>
#include <charconv>
#include <memory>
#include <string>

#include "cli/command.h"
#include "cli/load_config.h"
#include "cli/stderr_screen.h"
#include "cli/version.h"

namespace latido::cli {
namespace {

constexpr double kUsualSampleRate = 100;  // a second

struct AttachFlags {
  ConfigFlags config;
  std::int64_t pid = 0;
  std::string duration;
  std::string sample_hz;
};

// "30", "30s", "5m", "1h", "200ms" in ns; not positive or not a duration: kInvalidInput.
Result<std::int64_t> parse_duration_ns(std::string_view text) {
  double number = 0;
  const auto [end, errc] = std::from_chars(text.data(), text.data() + text.size(), number);
  const std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  const double unit_ns = unit.empty() || unit == "s" ? 1e9
                         : unit == "ms"              ? 1e6
                         : unit == "m"               ? 6e10
                         : unit == "h"               ? 3.6e12
                                                     : 0;
  const double duration_ns = number * unit_ns;
  if (errc != std::errc{} || !(duration_ns >= 1) || duration_ns > 1e18) {
    return Error{ErrorCode::kInvalidInput,
                 "--duration wants a time like 30s, 5m or 1h, got '" + std::string(text) + "'"};
  }
  return static_cast<std::int64_t>(duration_ns);
}

int attach(const AttachFlags& flags) {
  auto config = load_config(flags.config, current_environment());
  if (!config) return fail(config.error(), kUsage);
  if (!flags.sample_hz.empty()) {
    if (auto set = apply_flag(config.value(), "run.sample_hz", flags.sample_hz, "--sample"); !set) {
      return fail(set.error(), kUsage);
    }
  }
  session::Settings& settings = config.value().settings;
  if (settings.sample_hz <= 0) settings.sample_hz = kUsualSampleRate;
  settings.sample_core_ratio = 0;
  session::Attachment attachment{.pid = static_cast<pid_t>(flags.pid), .latido_version = kVersion};
  if (!flags.duration.empty()) {
    const auto duration_ns = parse_duration_ns(flags.duration);
    if (!duration_ns) return fail(duration_ns.error(), kUsage);
    attachment.duration_ns = duration_ns.value();
  }
  StderrScreen screen(settings.live);
  const Status done = session::attach(settings, attachment, screen);
  return done ? kOk : fail(done.error());
}

}  // namespace

void add_attach(CLI::App& app, Chosen& chosen) {
  CLI::App* const command =
      app.add_subcommand("attach", "Watch a Python program that runs already, from outside");
  auto flags = std::make_shared<AttachFlags>();
  command->add_option("pid", flags->pid, "The process")
      ->required()
      ->check(CLI::Range(std::int64_t{1}, std::int64_t{4'194'304}));
  command->add_option("--duration", flags->duration,
                      "How long, for instance 30s or 5m (else until it ends or Ctrl-C)");
  command->add_option("--sample", flags->sample_hz, "Looks a second at its stacks (100)");
  command->add_option("--config", flags->config.file, "Configuration file (else ./latido.toml)");
  command->add_option("--home", flags->config.home,
                      "Folder of all runs (else LATIDO_HOME, ~/.latido)");
  command->add_option("--lang", flags->config.language, "Language of the report: en, es, it");
  command->callback([&chosen, flags] { chosen = [flags] { return attach(*flags); }; });
}

}  // namespace latido::cli
