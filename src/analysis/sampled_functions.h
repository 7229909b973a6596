// Adds what the sampled stacks tell of functions to what their recorded calls tell, and of lines.
//
// Pure. Called once the calls of a run are known.
#pragma once

#include "analysis/run_facts.h"

namespace latido::analysis {

// Fills the sampled times of each rank's functions from `facts.calls`, adds functions that only the
// samples saw, and puts the largest first. Of a process's main thread all time counts, of its other
// threads, and of processes that make batches, only that on a CPU: they mostly wait for work. Of a rank
// with steps only what was sampled since the first of them was over. Fills the ranks' lines likewise.
void add_sampled_functions(RunFacts& facts);

}  // namespace latido::analysis
