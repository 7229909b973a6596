// The report as text for a terminal: verdict, fix and prediction first, then where the time went.
//
// Used by `latido run` at its end and by `latido report`. Plain text without colour says
// everything; no line is wider than the columns. Lines that do not apply are left out. Pure.
#pragma once

#include <cstddef>
#include <string>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/language.h"

namespace latido::report {

struct TerminalOptions {
  std::size_t columns = 80;
  bool colour = false;
  Language language = Language::kEnglish;
  bool expanded = false;  // zones, processes, resources and hooks also where steps were found
  double overhead_budget_ratio = 0.01;
};

// Ends with a newline.
std::string render_terminal(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                            const TerminalOptions& options = {});

}  // namespace latido::report
