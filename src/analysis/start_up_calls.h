// What was sampled of a run's start-up, apart from what was sampled of its steps.
//
// Pure. What happens once, such as importing PyTorch, would stand above all that a step takes in a
// short run, and differ with each start in a comparison.
#pragma once

#include <string>

#include "model/call_tree.h"

namespace latido::analysis {

// Whether samples came after the run's first step was over. Without steps, and in recordings of
// before schema 4, none did.
bool has_calls_of_steps(const model::CallTree& calls) noexcept;

// Only what was sampled since then; all of it where nothing was.
model::CallTree calls_of_steps(model::CallTree calls);

// All of it, with the calls of start-up below a frame of this name where steps were sampled too.
model::CallTree with_start_up_apart(const model::CallTree& calls, const std::string& name);

}  // namespace latido::analysis
