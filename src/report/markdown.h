// The report as Markdown, for pull requests, issues and notes: the same texts as the terminal report,
// as headings and tables. Pure.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/language.h"

namespace latido::report {

std::string render_markdown(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                            Language language, double overhead_budget_ratio = 0.01);

}  // namespace latido::report
