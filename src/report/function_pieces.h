// What the tables of functions say above their rows, in every format.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// "own time, of 3.2 s", "41 functions, 12 elided".
std::vector<std::string> function_pieces(const analysis::RunFacts& facts,
                                         const analysis::RankFacts& rank,
                                         const Catalogue& catalogue);

}  // namespace latido::report
