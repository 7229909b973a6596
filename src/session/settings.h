// Settings of one recording. cli fills it from latido.toml, the environment and flags.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "diagnosis/thresholds.h"
#include "report/language.h"

namespace latido::session {

enum class LiveMode : std::uint8_t {
  kAuto,  // the live line only where the child does not own the terminal
  kAlways,
  kNever,
};

// How much of the program's functions is recorded.
enum class FunctionMode : std::uint8_t {
  kOff,
  kAdaptive,  // what is called often and takes next to nothing is left out
  kFull,
};
std::string_view to_text(FunctionMode mode) noexcept;  // "off", "adaptive", "full"

struct Settings {
  std::string home;           // folder of all runs
  std::string home_fallback;  // node-local, for when nothing can be written there
  double telemetry_hz = 1.0;  // host and process samples a second, 0.1 to 100
  double drain_hz = 10.0;     // looks into the rings a second; more when they fill quickly
  bool python_hooks = true;   // inject the Python package
  FunctionMode functions = FunctionMode::kAdaptive;
  bool layers = false;  // PyTorch modules, on sampled steps
  std::string include;  // patterns of functions, separated by commas; empty: all
  std::string exclude;
  double sample_hz = 100;  // looks a second at the stacks of Python programs; 0: none
  // Fewer looks where they would take more of a core than this; 0: whatever they take. Who names a rate
  // gets it.
  double sample_core_ratio = 0.004;
  LiveMode live = LiveMode::kAuto;
  bool report_at_end = true;
  std::int64_t max_run_bytes = 4LL << 30;  // the timeline stops growing there, said in the report
  double overhead_budget_ratio = 0.01;     // of the wall time: more and detail is given up
  bool keep_overhead_budget = true;        // false: whatever it costs, and the report says how much
  bool measure_overhead = false;           // by turns with all detail and with steps alone
  diagnosis::Thresholds thresholds;
  report::Language language{};
};

}  // namespace latido::session
