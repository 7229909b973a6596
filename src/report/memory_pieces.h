// Memory of the training process in words: its peak, what was resident in each phase, growth a step.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// Of the lead rank. Empty where memory was not sampled, or there are no steps.
std::vector<std::string> memory_pieces(const analysis::RunFacts& facts, const Catalogue& catalogue);

}  // namespace latido::report
