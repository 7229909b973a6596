// FactsBuilder: puts the facts of a run together from what RunAnalysis holds.
//
// Made for one call of RunAnalysis::facts(). Reads only; never changes what it is given.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "analysis/phase_memory.h"
#include "analysis/process_analysis.h"
#include "analysis/rank_facts.h"
#include "analysis/resource_analysis.h"
#include "analysis/run_facts.h"
#include "analysis/thread_analysis.h"

namespace latido::analysis {

struct FactsInput {
  const model::Run& run;
  const model::Quality& quality;
  const model::Tables& tables;
  std::span<const std::unique_ptr<ProcessAnalysis>> processes;  // by ProcessId
  std::span<const std::unique_ptr<ThreadAnalysis>> threads;     // by TrackId
  std::span<const std::unique_ptr<PhaseMemory>> memory;         // by ProcessId
  const ResourceAnalysis& resources;
  const HookStates& hooks;
  std::int64_t latest_ns = 0;
  std::uint64_t malformed = 0;
  bool for_report = true;  // with what no rule looks at: functions, and the memory of single steps
};

class FactsBuilder {
 public:
  explicit FactsBuilder(const FactsInput& input);

  RunFacts build();

 private:
  // A thread with its open end, judged once.
  struct Trainer {
    std::size_t track = 0;
    std::size_t process = 0;
    StepFinder::Rest rest;
  };

  // A thread that may have been at work when the run ended.
  struct LastThread {
    const ThreadAnalysis* thread;
    std::size_t process;
    bool in_step;  // a step had begun
  };

  void add_hooks(RunFacts& facts);
  void find_trainers();
  void add_ranks(RunFacts& facts);
  RankFacts make_rank(const Trainer& trainer, bool single_process) const;
  void add_loader(RankFacts& rank, const Trainer& trainer) const;
  ZoneTable zones_of(std::size_t process) const;
  FunctionTable functions_of(std::size_t process) const;
  void add_functions(RankFacts& rank, const std::vector<std::size_t>& own,
                     const std::vector<std::size_t>& workers) const;
  RankFacts make_main_process() const;
  std::size_t busiest_process() const;
  void add_cores(RankFacts& rank) const;
  void add_resources(RunFacts& facts) const;
  void add_end(RunFacts& facts) const;
  std::optional<std::size_t> failed_process() const;
  std::vector<LastThread> last_threads(std::optional<std::size_t> failed) const;
  ResourceAnalysis::Context context(const RankFacts& rank) const;
  std::size_t process_of(std::size_t track) const;
  TimeRange life(std::size_t process) const;
  std::optional<std::int32_t> rank_of(std::size_t process) const;

  FactsInput input_;
  TimeRange run_;
  std::vector<Trainer> trainers_;
};

}  // namespace latido::analysis
