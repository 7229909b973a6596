// Finding: one diagnosis as message ids and parameters. Sentences are made in report, in any language.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace latido::model {

// The suffix of a parameter's name is its unit: _ns, _bytes, _ratio; without one it is a plain number
// or a text. A report formats by it (0.57 in wait_ratio is shown as "57 %").
using ParamValue = std::variant<std::int64_t, double, std::string>;
struct Params {
  std::vector<std::pair<std::string, ParamValue>> all;

  Params& set(std::string name, ParamValue value) {
    all.emplace_back(std::move(name), std::move(value));
    return *this;
  }
  const ParamValue* find(std::string_view name) const noexcept {
    for (const auto& [key, value] : all) {
      if (key == name) return &value;
    }
    return nullptr;
  }
  bool operator==(const Params&) const = default;
};

// `id` is a key of the message catalogue, for instance "input_bound.workers_busy".
struct Message {
  std::string id;
  Params params;

  bool operator==(const Message&) const = default;
};

struct Evidence {
  Message message;
  std::int64_t start_ns = 0;  // the time range that shows it, CLOCK_MONOTONIC
  std::int64_t end_ns = 0;

  bool operator==(const Evidence&) const = default;
};

// Predicted mean step time. The interval is 90 %.
struct Gain {
  std::int64_t step_before_ns = 0;
  std::int64_t step_after_ns = 0;
  std::int64_t low_ns = 0;
  std::int64_t high_ns = 0;

  std::int64_t saved_ns() const noexcept { return step_before_ns - step_after_ns; }
  bool operator==(const Gain&) const = default;
};

struct Finding {
  std::string rule;       // kebab-case, a page in docs/rules/
  double confidence = 0;  // 0..1
  Message headline;       // one sentence: what, how much
  std::vector<Evidence> evidence;
  Message action;  // what to change; the parameters carry file and line where known
  std::optional<Gain> gain;
  double run_saved_ratio = 0;  // share of the run's wall time that the action saves; ranks findings
  std::vector<Message> limits;  // where the advice stops helping, and why the interval is so wide

  bool operator==(const Finding&) const = default;
};

// Rule "healthy" or "cannot-tell" or "no-steps" when no finding stands out.
struct Diagnosis {
  std::string verdict;            // rule of findings[0], else "healthy", "no-steps", "cannot-tell"
  Message headline;               // what to say of a verdict without a finding
  std::vector<Finding> findings;  // ranked by predicted gain

  bool operator==(const Diagnosis&) const = default;
};

}  // namespace latido::model
