// Rule: the seam between the engine (diagnose.h) and one kind of bottleneck (rules/, one file
// each).
//
// A rule looks at measured facts and says nothing, or one finding. It knows no other rule: ranking,
// noise and which finding hides which are the engine's. Pure: same facts, same answer.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "analysis/run_facts.h"
#include "diagnosis/thresholds.h"
#include "model/finding.h"

namespace latido::diagnosis {

struct Rule {
  std::string_view id;  // kebab-case; docs/rules/<id>.md
  bool needs_steps;     // not asked about a program without enough steady steps
  std::optional<model::Finding> (*check)(const analysis::RunFacts&, const Thresholds&);
};

// All rules (rule_list.cc).
std::span<const Rule> all_rules() noexcept;

// `effect` is not reported beside `cause`.
struct Explains {
  std::string_view cause;
  std::string_view effect;
};
std::span<const Explains> explanations() noexcept;

}  // namespace latido::diagnosis
