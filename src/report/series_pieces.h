// The values that a program recorded itself, as short pieces of text for a line of the reports.
//
// Called by the terminal and the Markdown report; HTML has a table of them. Pure.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// "logged queue_length 3 → 7", "accuracy 0.5 → 0.9", …, "and 2 more": of the lead rank.
std::vector<std::string> series_pieces(const analysis::RunFacts& facts, const Catalogue& catalogue);

}  // namespace latido::report
