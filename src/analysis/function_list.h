// The functions that a run met, and what became of each: recorded, elided or excluded.
//
// For whoever misses one in the tables. Pure. Made from the call sites of a recording, once it is read.
#pragma once

#include <span>
#include <vector>

#include "analysis/function_table.h"
#include "analysis/run_facts.h"
#include "model/timeline.h"

namespace latido::analysis {

// By state, then file, line and name; a function of several processes once. `functions`: of all
// processes; null entries are allowed.
std::vector<ListedFunction> list_functions(const model::Tables& tables,
                                           std::span<const FunctionTable* const> functions);

// Functions that the user's patterns left out.
std::uint64_t count_excluded(const model::Tables& tables) noexcept;

}  // namespace latido::analysis
