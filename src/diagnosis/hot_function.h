// HotFunction: which of the program's own functions the sampled stacks find most often.
//
// Called by rules whose bottleneck is the program's own code, so that a finding says where to look.
// Pure. Empty where stacks were not sampled, and in the live verdict, which has no tables of functions.
#pragma once

#include <optional>
#include <vector>

#include "analysis/run_facts.h"
#include "diagnosis/finding_builder.h"

namespace latido::diagnosis {

struct HotFunction {
  const analysis::FunctionTime* function = nullptr;  // into the facts
  double ratio = 0;  // of the process's time, that of its steps where it has some
};

// Own code is what neither was installed nor belongs to Python. At least a tenth of the time.
std::optional<HotFunction> hot_function(const analysis::RunFacts& facts,
                                        const analysis::RankFacts& rank);
// The same of the processes that make the rank's batches, of what they compute.
std::optional<HotFunction> hot_worker_function(const analysis::RankFacts& rank);

// Its name and place, for a message.
model::Params place_of(const HotFunction& hot);

// Evidence that names it, if there is one.
void add_evidence(FindingBuilder& finding, const std::optional<HotFunction>& hot);

}  // namespace latido::diagnosis
