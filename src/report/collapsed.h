// Folded stacks: the sampled call paths as text that flame graph tools read.
//
//   main (train.py:1);Trainer.fit (train.py:40);forward (model.py:12) 81250
//
// One line per path with time of its own, the number in microseconds; files without number are
// between parentheses alone. Called by the export of a report. Pure.
#pragma once

#include <string>

#include "model/call_tree.h"
#include "report/flame_tree.h"

namespace latido::report {

// Paths under half a microsecond are left out: the format has whole numbers only. Grows with the
// sum of the paths' lengths, as the format has it.
std::string render_collapsed(const model::CallTree& tree, CountedTime counted = CountedTime::kWall);

}  // namespace latido::report
