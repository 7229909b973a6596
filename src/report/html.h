// The report as one self-contained HTML file, with pictures as SVG. No script, nothing fetched: a
// Content-Security-Policy in the page forbids both. Readable in light and dark, on a telephone and
// on paper.
//
// Used by `latido report --format html` and by server. Every name from a program is escaped (markup.h).
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/language.h"

namespace latido::report {

std::string render_html(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis,
                        Language language, double overhead_budget_ratio = 0.01);

}  // namespace latido::report
