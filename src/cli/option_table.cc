#include "cli/option_table.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>

namespace latido::cli {
namespace {

using session::LiveMode;
using session::Settings;

Error wanted(const std::string& what, std::string_view got) {
  return {ErrorCode::kInvalidInput, "wants " + what + ", got '" + std::string(got) + "'"};
}

Result<double> parse_number(std::string_view text) {
  double value = 0;
  const auto [end, errc] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (errc != std::errc{} || end != text.data() + text.size() || !std::isfinite(value)) {
    return wanted("a number", text);
  }
  return value;
}

std::string print_number(double value) {
  std::array<char, 32> buffer{};
  return {buffer.data(), std::to_chars(buffer.data(), buffer.data() + buffer.size(), value).ptr};
}

Option number(std::string key, std::string help, double Settings::*member, double low,
              double high) {
  return {std::move(key), std::move(help), false,
          [=](Settings& settings, std::string_view text) -> Status {
            auto value = parse_number(text);
            if (!value) return std::move(value).error();
            if (value.value() < low || value.value() > high) {
              return wanted("a number from " + print_number(low) + " to " + print_number(high),
                            text);
            }
            settings.*member = value.value();
            return ok();
          },
          [=](const Settings& settings) { return print_number(settings.*member); }};
}

Option flag(std::string key, std::string help, bool Settings::*member) {
  return {
      std::move(key), std::move(help), false,
      [=](Settings& settings, std::string_view text) -> Status {
        if (text != "true" && text != "false") return wanted("true or false", text);
        settings.*member = text == "true";
        return ok();
      },
      [=](const Settings& settings) { return std::string(settings.*member ? "true" : "false"); }};
}

Option home_option() {
  return {"run.home", "folder of all runs", true,
          [](Settings& settings, std::string_view text) -> Status {
            if (text.empty()) return wanted("a folder", text);
            settings.home = text;
            return ok();
          },
          [](const Settings& settings) { return settings.home; }};
}

Option live_option() {
  return {"run.live", "live line: auto, always, never", true,
          [](Settings& settings, std::string_view text) -> Status {
            if (text == "auto") {
              settings.live = LiveMode::kAuto;
            } else if (text == "always") {
              settings.live = LiveMode::kAlways;
            } else if (text == "never") {
              settings.live = LiveMode::kNever;
            } else {
              return wanted("auto, always or never", text);
            }
            return ok();
          },
          [](const Settings& settings) {
            constexpr std::array<const char*, 3> kTexts{"auto", "always", "never"};
            return std::string(kTexts[static_cast<std::size_t>(settings.live)]);
          }};
}

Option functions_option() {
  return {"run.functions", "record the program's functions: off, adaptive, full", true,
          [](Settings& settings, std::string_view text) -> Status {
            using session::FunctionMode;
            for (const FunctionMode mode :
                 {FunctionMode::kOff, FunctionMode::kAdaptive, FunctionMode::kFull}) {
              if (text != to_text(mode)) continue;
              settings.functions = mode;
              return ok();
            }
            return wanted("off, adaptive or full", text);
          },
          [](const Settings& settings) { return std::string(to_text(settings.functions)); }};
}

Option patterns(std::string key, std::string help, std::string Settings::*member) {
  return {std::move(key), std::move(help), true,
          [=](Settings& settings, std::string_view text) -> Status {
            settings.*member = text;
            return ok();
          },
          [=](const Settings& settings) { return settings.*member; }};
}

Option language_option() {
  return {"run.language", "language of reports: en, es, it", true,
          [](Settings& settings, std::string_view text) -> Status {
            const auto language = report::language_from_text(text);
            if (!language) return wanted("en, es or it", text);
            settings.language = *language;
            return ok();
          },
          [](const Settings& settings) { return std::string(report::to_text(settings.language)); }};
}

Option size_option() {
  return {"run.max_bytes", "largest timeline of a run on disk, in bytes", false,
          [](Settings& settings, std::string_view text) -> Status {
            auto value = parse_number(text);
            if (!value) return std::move(value).error();
            if (value.value() < 1e6 || value.value() > 1e15)
              return wanted("1e6 to 1e15 bytes", text);
            settings.max_run_bytes = static_cast<std::int64_t>(value.value());
            return ok();
          },
          [](const Settings& settings) { return std::to_string(settings.max_run_bytes); }};
}

Option threshold(const diagnosis::ThresholdField& field) {
  const std::string name(field.name);
  return {"thresholds." + name, "see docs/rules", false,
          [name](Settings& settings, std::string_view text) -> Status {
            auto value = parse_number(text);
            if (!value) return std::move(value).error();
            return diagnosis::set_threshold(settings.thresholds, name, value.value());
          },
          [member = field.value](const Settings& settings) {
            return print_number(settings.thresholds.*member);
          }};
}

std::vector<Option> make_table() {
  std::vector<Option> table{
      home_option(),
      number("run.telemetry_hz", "host samples a second", &Settings::telemetry_hz, 0.1, 100),
      number("run.drain_hz", "looks into the programs' buffers a second", &Settings::drain_hz, 1,
             1000),
      flag("run.python_hooks", "record Python and PyTorch by themselves", &Settings::python_hooks),
      functions_option(),
      flag("run.layers", "time PyTorch modules, on a few of the steps", &Settings::layers),
      patterns("run.include", "record only functions that match: module, path or name, with *",
               &Settings::include),
      patterns("run.exclude", "do not record functions that match", &Settings::exclude),
      number("run.sample_hz", "looks a second at the stacks of Python programs, 0 for none",
             &Settings::sample_hz, 0, 10'000),
      live_option(),
      flag("run.report_at_end", "print the report when the program ends", &Settings::report_at_end),
      size_option(),
      number("run.overhead_budget_ratio", "share of the time that recording may take",
             &Settings::overhead_budget_ratio, 0.0001, 1),
      flag("run.measure_overhead", "take turns with and without detail, to measure what it costs",
           &Settings::measure_overhead),
      language_option(),
  };
  for (const diagnosis::ThresholdField& field : diagnosis::threshold_fields()) {
    table.push_back(threshold(field));
  }
  return table;
}

}  // namespace

const std::vector<Option>& option_table() {
  static const std::vector<Option> table = make_table();
  return table;
}

bool is_section(std::string_view name) {
  return std::ranges::any_of(option_table(), [&](const Option& option) {
    return option.key.starts_with(name) && option.key.substr(name.size()).starts_with('.');
  });
}

}  // namespace latido::cli
