// Which of the sampled time counts as the run's, and how exact it is.
//
// Pure. Used wherever sampled stacks are added up: tables of functions and lines, flame graphs, diffs.
#pragma once

#include <cstdint>

#include "analysis/run_facts.h"

namespace latido::analysis {

// Of a main thread all time, of other threads what they were busy: they mostly wait for work.
std::int64_t counted_ns(const model::CallTime& time) noexcept;

// The stacks of a run, with the main threads of processes that make batches as other threads: they
// wait for work too, and only what they compute belongs in a picture of the run.
model::CallTree counted_calls(const RunFacts& facts);

// Mean time that one sampled stack stands for; 0 when there were none.
double sample_interval_ns(const model::CallTree& calls) noexcept;

}  // namespace latido::analysis
