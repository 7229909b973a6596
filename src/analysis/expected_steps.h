// How many steps a run will have, so that a live view can say how long is left.
//
// Called about once a second while a run lives. A recording shows how long a pass over the data is, but
// never how many the program means to make: that is read from its command line, where most trainings
// have it. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run_facts.h"

namespace latido::analysis {

// Of the first rank that steps. Empty when it cannot be known: no number of steps or epochs in the command,
// a pass of unknown length, two answers that contradict each other, or more steps done than that.
std::optional<std::uint64_t> expected_steps(const RunFacts& facts);

// Steps in one pass over the training data; empty when no pass was complete and its length is not known.
std::optional<double> steps_per_pass(const RunFacts& facts);

// What a command line says of a training's length: "--epochs 10", "--max-steps=500", "trainer.max_epochs=3".
struct PlannedLength {
  std::optional<double> epochs;
  std::optional<double> steps;
  bool steps_overrule =
      false;  // "max_steps" and the like mean the whole run, whatever the epochs are
};
PlannedLength planned_length(const std::vector<std::string>& words);

}  // namespace latido::analysis
