// The processes that make a rank's batches, and how much of its steps they were busy.
//
// Called for the facts of a rank. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/process_analysis.h"
#include "analysis/resource_analysis.h"
#include "analysis/run_facts.h"
#include "model/timeline.h"

namespace latido::analysis {

struct WorkerInput {
  std::span<const std::unique_ptr<ProcessAnalysis>> processes;  // by ProcessId, null without events
  const ResourceAnalysis& resources;
  ResourceAnalysis::Context context;  // window: the rank's steady steps
  std::size_t owner = 0;              // the rank's process
  std::uint32_t loader = kUnknownId;  // that feeds its steps
  std::int64_t steps_ns = 0;          // sum of the steady steps
};

// The process ids of the workers, by process.
std::vector<std::size_t> find_workers(const WorkerInput& input);

// One entry a worker number: a loader without persistent workers starts new processes each epoch.
std::vector<WorkerFacts> make_workers(const WorkerInput& input,
                                      std::span<const std::size_t> workers);

// Mean time to make a batch in the window; 0 when none was made there.
std::int64_t mean_made_ns(const WorkerInput& input, std::span<const std::size_t> workers);

}  // namespace latido::analysis
