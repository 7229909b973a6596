// Two runs beside each other, in every format: faster or not, as predicted or not, and does it still
// learn the same. The judgement is diagnosis::compare's; here it is only shown.
//
// Used by `latido diff`. Pure. JSON: docs/formats/report.md.
#pragma once

#include <optional>
#include <string>

#include "analysis/function_changes.h"
#include "analysis/run_facts.h"
#include "diagnosis/compare.h"
#include "report/language.h"
#include "report/terminal.h"

namespace latido::report {

// What --fail-if asked for and how it ended; shown, not judged.
struct DiffGate {
  std::string condition;  // as typed: "step > +3 %"
  int exit_code = 0;      // 0 pass, 3 regression, 4 cannot tell
};

// The referred values must outlive the call.
struct DiffInput {
  const analysis::RunFacts& before;
  const analysis::RunFacts& after;
  const diagnosis::Comparison& comparison;
  std::optional<DiffGate> gate = std::nullopt;
  analysis::FunctionChanges functions = {};  // compare_functions() of the two
};

std::string render_diff_terminal(const DiffInput& diff, const TerminalOptions& options = {});
std::string render_diff_json(const DiffInput& diff);
std::string render_diff_markdown(const DiffInput& diff, Language language);
std::string render_diff_html(const DiffInput& diff, Language language);

// "faster", "slower", "same", "cannot-tell": the key in JSON.
std::string_view to_text(diagnosis::Outcome outcome) noexcept;

}  // namespace latido::report
