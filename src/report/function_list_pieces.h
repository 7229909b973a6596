// The list of all functions that a run met, by what became of them, as every format shows it. Pure.
#pragma once

#include <array>
#include <span>
#include <string>

#include "analysis/run_facts.h"
#include "report/catalogue.h"

namespace latido::report {

inline constexpr std::array kFunctionStates{analysis::FunctionState::kRecorded,
                                            analysis::FunctionState::kElided,
                                            analysis::FunctionState::kExcluded};

// Of one state; `list` is in the order of states.
std::span<const analysis::ListedFunction> functions_in(
    std::span<const analysis::ListedFunction> list, analysis::FunctionState state) noexcept;

// "excluded: 12 functions, by --include and --exclude".
std::string function_state_text(analysis::FunctionState state, std::size_t count,
                                const Catalogue& catalogue);

}  // namespace latido::report
