// The Markdown report's table by layer. Called by markdown.cc only.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// The section's body, without its heading; empty when layers were not recorded.
std::string markdown_layers(const analysis::RunFacts& facts, const Catalogue& catalogue);

}  // namespace latido::report
