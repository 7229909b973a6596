// The rules of the engine: one function each, in the file of its name, listed in rule_list.cc.
//
// What each looks at, at which threshold, and why, is in docs/rules/<rule>.md.
#pragma once

#include <optional>

#include "analysis/run_facts.h"
#include "diagnosis/thresholds.h"
#include "model/finding.h"

namespace latido::diagnosis {

std::optional<model::Finding> check_input_bound(const analysis::RunFacts& facts,
                                                const Thresholds& thresholds);

}  // namespace latido::diagnosis
