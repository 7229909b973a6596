#include "analysis/run_analysis.h"

#include <algorithm>

#include "analysis/facts_builder.h"

namespace latido::analysis {

RunAnalysis::RunAnalysis(const AnalysisLimits& limits)
    : limits_(limits), resources_(limits.kept_samples) {}
RunAnalysis::~RunAnalysis() = default;
RunAnalysis::RunAnalysis(RunAnalysis&&) noexcept = default;
RunAnalysis& RunAnalysis::operator=(RunAnalysis&&) noexcept = default;

ThreadAnalysis* RunAnalysis::thread_of(const model::Tables& tables, model::TrackId track) {
  const std::size_t i = model::index_of(track);
  if (i < threads_.size() && threads_[i]) return threads_[i].get();
  if (i >= tables.tracks.size()) return nullptr;
  const std::size_t process = model::index_of(tables.tracks[i].process);
  if (process >= tables.processes.size()) return nullptr;
  if (process >= processes_.size()) processes_.resize(process + 1);
  if (!processes_[process]) processes_[process] = std::make_unique<ProcessAnalysis>();
  if (i >= threads_.size()) threads_.resize(i + 1);
  threads_[i] = std::make_unique<ThreadAnalysis>(*processes_[process], limits_.kept_steps);
  return threads_[i].get();
}

void RunAnalysis::add_events(const model::Tables& tables, std::span<const model::Event> events) {
  roles_.update(tables.sites);
  for (const model::Event& event : events) {
    const SiteRole* const role = roles_.find(event.site);
    ThreadAnalysis* const thread = role == nullptr ? nullptr : thread_of(tables, event.track);
    if (thread == nullptr) {
      ++malformed_;
      continue;
    }
    latest_ns_ = std::max(latest_ns_, event.ts_ns);
    thread->on_event(event, *role);
    if (event.kind != model::EventKind::kText) continue;
    if (event.payload >= tables.texts.size()) {
      ++malformed_;
      continue;
    }
    const model::Track& track = tables.tracks[model::index_of(event.track)];
    processes_[model::index_of(track.process)]->on_text(tables.sites[model::index_of(event.site)],
                                                        role->text, tables.texts[event.payload]);
  }
  share_step_limit();
}

// The limit is for the run: with more ranks each keeps fewer steps.
void RunAnalysis::share_step_limit() {
  const auto stepping = static_cast<std::size_t>(
      std::count_if(threads_.begin(), threads_.end(),
                    [](const auto& thread) { return thread && thread->may_step(); }));
  if (stepping <= stepping_threads_) return;
  stepping_threads_ = stepping;
  for (const auto& thread : threads_) {
    if (thread) thread->steps().set_limit(limits_.kept_steps / stepping);
  }
}

void RunAnalysis::add_samples(const model::SeriesTable& series,
                              std::span<const model::Sample> samples) {
  resources_.add(series, samples);
}

RunFacts RunAnalysis::facts(const model::Run& run, const model::Quality& quality,
                            const model::Tables& tables) const {
  FactsBuilder builder({.run = run,
                        .quality = quality,
                        .tables = tables,
                        .processes = processes_,
                        .threads = threads_,
                        .resources = resources_,
                        .latest_ns = std::max(latest_ns_, resources_.latest_ns()),
                        .malformed = malformed_});
  return builder.build();
}

}  // namespace latido::analysis
