// The rules of the engine: one function each, in the file of its name, listed in rule_list.cc.
//
// What each looks at, at which threshold, and why, is in docs/rules/<rule>.md.
#pragma once

#include <optional>

#include "analysis/run_facts.h"
#include "diagnosis/thresholds.h"
#include "model/finding.h"

namespace latido::diagnosis {

using CheckedFinding = std::optional<model::Finding>;

CheckedFinding check_input_bound(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_disk_bound(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_swap_bound(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_memory_growing(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_cpu_throttled(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_cpu_contended(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_one_core_bound(const analysis::RunFacts& facts, const Thresholds& thresholds);
CheckedFinding check_cpu_compute_bound(const analysis::RunFacts& facts,
                                       const Thresholds& thresholds);
CheckedFinding check_evaluation_heavy(const analysis::RunFacts& facts,
                                      const Thresholds& thresholds);
CheckedFinding check_checkpoint_heavy(const analysis::RunFacts& facts,
                                      const Thresholds& thresholds);
CheckedFinding check_other_heavy(const analysis::RunFacts& facts, const Thresholds& thresholds);

}  // namespace latido::diagnosis
