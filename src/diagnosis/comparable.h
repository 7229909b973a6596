// Which differences between two runs make their step times incomparable, and which are only worth saying.
//
// Called by compare(). Unknown is no difference: an empty text or a 0 is not held against a run.
#pragma once

#include <cstdint>
#include <vector>

#include "analysis/run_facts.h"
#include "model/finding.h"

namespace latido::diagnosis {

// "compare.not_comparable.…"
std::vector<model::Message> not_comparable(const analysis::RunFacts& before,
                                           const analysis::RunFacts& after,
                                           std::uint64_t min_steps);

// "compare.differs.…"
std::vector<model::Message> differences(const analysis::RunFacts& before,
                                        const analysis::RunFacts& after);

// The first rank that steps; nullptr when none does.
const analysis::RankFacts* lead_rank(const analysis::RunFacts& facts) noexcept;

}  // namespace latido::diagnosis
