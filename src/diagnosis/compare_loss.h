// Does one training learn as well as the other? Loss at equal numbers of samples, not at equal times.
//
// Called by compare(). Pure.
#pragma once

#include <optional>

#include "analysis/run_facts.h"
#include "diagnosis/compare.h"

namespace latido::diagnosis {

// Empty when a rank has no loss, or the two have no samples in common.
std::optional<LossComparison> compare_loss(const analysis::RankFacts& before,
                                           const analysis::RankFacts& after, double limit_ratio);

}  // namespace latido::diagnosis
