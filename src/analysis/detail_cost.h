// DetailCost: what functions, layers and stacks cost the steps, from turns with and without them.
//
// Called for the facts of a rank. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analysis/run_facts.h"
#include "model/step.h"

namespace latido::analysis {

// From the steady steps of one rank, which carry the reduction that was in force: each turn with all
// detail is compared with the turns before and after it that record steps only, so that a machine that
// changes its speed in between changes both. The interval (95 %) is by block bootstrap over these
// differences. Empty with fewer than kFewestTurns of them.
std::optional<DetailCost> detail_cost(std::span<const model::Step> steps);

inline constexpr std::size_t kFewestTurns = 8;

}  // namespace latido::analysis
