// What is known of one training thread, put together as the facts of a rank.
//
// Called by RunAnalysis::facts(). Pure; costs a copy of the kept steps and a bootstrap of a condensed
// series, so that it can run each second.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>

#include "analysis/process_analysis.h"
#include "analysis/run_facts.h"
#include "analysis/thread_analysis.h"
#include "model/timeline.h"

namespace latido::analysis {

using HookStates = std::map<std::string, std::string>;

struct RankInput {
  const ThreadAnalysis& thread;
  const StepFinder::Rest& rest;  // thread.rest(), which is not for nothing
  const ProcessAnalysis& process;
  const HookStates& hooks;
  std::int64_t start_ns = 0;   // of the run
  std::int64_t end_ns = 0;     // of the run, or the latest time known
  bool single_process = true;  // nothing to communicate with
};

// Steps, statistics, phases, parts and what the loop itself tells of its loader. The rest (zones,
// workers, loader text) is for the caller, who knows all processes.
RankFacts make_rank_facts(const RankInput& input);

// The loader that fed most steps; kUnknownId without one.
std::uint32_t main_loader(const ThreadAnalysis& thread, const StepFinder::Rest& rest);

}  // namespace latido::analysis
