// What the tables of functions say around their rows, in every format.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

// What own times in tables are shares of: the run, or where samples are of its steps only, of these.
// At least 1.
std::int64_t own_times_are_of_ns(const analysis::RunFacts& facts,
                                 const analysis::RankFacts& rank) noexcept;

// "own time, of 3.2 s", "own time, of 3.2 s from the first step on".
std::string own_time_heading(const analysis::RunFacts& facts, const analysis::RankFacts& rank,
                             const Catalogue& catalogue);

// That heading, "41 functions, 12 elided", "from 320 samples".
std::vector<std::string> function_pieces(const analysis::RunFacts& facts,
                                         const analysis::RankFacts& rank,
                                         const Catalogue& catalogue);

// "200 calls", "≥ 512 calls, elided"; "sampled" of one that only samples saw.
std::string function_calls(const analysis::FunctionTime& function, const analysis::RankFacts& rank,
                           const Catalogue& catalogue);

// A place of at most `cells` where that is possible: it loses folders, not the line.
// "…/decoder.py:332".
std::string fitting_place(const std::string& place, std::size_t cells);

// Whether functions ran and the patterns left out all of them: then there is nothing but this to say.
bool nothing_matched(const analysis::RankFacts& rank) noexcept;

// What "elided" and "≥" mean for the times and calls; empty when there is neither.
std::string elided_note(const analysis::RunFacts& facts, const analysis::RankFacts& rank,
                        const Catalogue& catalogue);

}  // namespace latido::report
