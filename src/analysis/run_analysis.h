// RunAnalysis: takes a run's events and samples as they come and says at any time what is known.
//
// Called by session while the program runs and by whoever reads a recording again; both get the same
// answer from the same data. Pure: no I/O, no clock. Not thread-safe. Memory is bounded by
// AnalysisLimits, whatever the length of the run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "analysis/phase_memory.h"
#include "analysis/process_analysis.h"
#include "analysis/rank_facts.h"
#include "analysis/resource_analysis.h"
#include "analysis/run_facts.h"
#include "analysis/site_roles.h"
#include "analysis/thread_analysis.h"
#include "model/run.h"
#include "model/sample.h"
#include "model/timeline.h"

namespace latido::analysis {

struct AnalysisLimits {
  std::size_t kept_steps = 65'536;     // over all ranks, 136 bytes each
  std::size_t kept_samples = 262'144;  // over all series, 16 bytes each
};

class RunAnalysis {
 public:
  explicit RunAnalysis(const AnalysisLimits& limits = {});
  ~RunAnalysis();
  RunAnalysis(RunAnalysis&&) noexcept;
  RunAnalysis& operator=(RunAnalysis&&) noexcept;

  // Samples of a process's memory are tied to what it does at their time: before the events after them.
  // `tables` must be those of all earlier calls, grown. Events whose ids they lack are counted and
  // skipped.
  void add_events(const model::Tables& tables, std::span<const model::Event> events);
  void add_samples(const model::SeriesTable& series, std::span<const model::Sample> samples);

  // What is known so far. `run` and `quality` are taken over, with the end completed by what the
  // program said of it and the hooks by what they said of themselves. While the run goes on,
  // run.end_ns is the present, or 0 for the latest event.
  RunFacts facts(const model::Run& run, const model::Quality& quality,
                 const model::Tables& tables) const;
  // The same without what no rule looks at, such as tables of functions: for a verdict each second.
  RunFacts facts_for_verdict(const model::Run& run, const model::Quality& quality,
                             const model::Tables& tables) const;

  std::uint64_t malformed() const noexcept { return malformed_; }
  // Some process has had an update, or called latido.step(): its first step is over.
  bool has_steps() const noexcept { return stepping_threads_ > 0; }
  // Every function met, for who asks what became of one; not cheap.
  std::vector<ListedFunction> function_list(const model::Tables& tables) const;
  // Of recorded functions, over so far.
  std::uint64_t function_calls() const noexcept;

 private:
  RunFacts build_facts(const model::Run& run, const model::Quality& quality,
                       const model::Tables& tables, bool for_report) const;
  ThreadAnalysis* thread_of(const model::Tables& tables, model::TrackId track);
  void on_text(const model::Tables& tables, const model::Event& event, TextName name);
  void on_value(const model::Tables& tables, const model::Event& event);
  void note_memory(const model::Tables& tables, const model::Event& event,
                   const ThreadAnalysis& thread);
  void compact_ended(const model::Tables& tables);
  void share_step_limit();

  AnalysisLimits limits_;
  SiteRoles roles_;
  std::vector<std::unique_ptr<ProcessAnalysis>> processes_;  // by ProcessId; null: no event yet
  std::vector<std::unique_ptr<ThreadAnalysis>> threads_;     // by TrackId; null: no event yet
  // By ProcessId; null: not sampled.
  std::vector<std::unique_ptr<PhaseMemory>> memory_;
  ResourceAnalysis resources_;
  HookStates hooks_;
  std::size_t stepping_threads_ = 0;
  std::int64_t latest_ns_ = 0;
  std::uint64_t malformed_ = 0;
};

}  // namespace latido::analysis
