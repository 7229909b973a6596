// What the tables of functions say around their rows, in every format.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// "own time, of 3.2 s", "41 functions, 12 elided", "from 320 samples".
std::vector<std::string> function_pieces(const analysis::RunFacts& facts,
                                         const analysis::RankFacts& rank,
                                         const Catalogue& catalogue);

// "200 calls", "512 calls, elided"; "sampled" of one that only samples saw.
std::string function_calls(const analysis::FunctionTime& function, const Catalogue& catalogue);

// What "elided" means for the times; empty when nothing is.
std::string elided_note(const analysis::RunFacts& facts, const analysis::RankFacts& rank,
                        const Catalogue& catalogue);

}  // namespace latido::report
