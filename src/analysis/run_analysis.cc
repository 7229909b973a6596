#include "analysis/run_analysis.h"

#include <algorithm>

#include "analysis/facts_builder.h"
#include "analysis/function_list.h"

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
  if (!processes_[process]) {
    compact_ended(tables);
    processes_[process] = std::make_unique<ProcessAnalysis>();
  }
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
    if (!memory_.empty() && thread->may_step()) note_memory(tables, event, *thread);
    thread->on_event(event, *role);
    if (event.kind == model::EventKind::kText) on_text(tables, event, role->text);
    if (event.kind == model::EventKind::kValue && role->value == ValueName::kOther) {
      on_value(tables, event);
    }
  }
  share_step_limit();
}

// The ids of `event` have been checked, its text has not.
void RunAnalysis::on_text(const model::Tables& tables, const model::Event& event, TextName name) {
  constexpr std::size_t kMostHooks = 256;
  if (event.payload >= tables.texts.size()) {
    ++malformed_;
    return;
  }
  const std::string& text = tables.texts[event.payload];
  const model::Site& site = tables.sites[model::index_of(event.site)];
  if (site.category == model::Category::kHook) {
    // Each process says so; the first is the one that the user started.
    if (hooks_.size() < kMostHooks) hooks_.emplace(clean_text(site.name), clean_text(text));
    return;
  }
  const model::Track& track = tables.tracks[model::index_of(event.track)];
  LayerTable& layers = processes_[model::index_of(track.process)]->layers();
  if (site.category == model::Category::kLayer) {
    return layers.on_text(event.track, event.site, text);
  }
  if (site.category == model::Category::kLayerSample) return layers.on_note(text);
  processes_[model::index_of(track.process)]->on_text(site.category, name, text, event.ts_ns);
}

void RunAnalysis::on_value(const model::Tables& tables, const model::Event& event) {
  const model::Track& track = tables.tracks[model::index_of(event.track)];
  const model::Site& site = tables.sites[model::index_of(event.site)];
  processes_[model::index_of(track.process)]->on_value(site.name, event.ts_ns, event.value());
}

void RunAnalysis::note_memory(const model::Tables& tables, const model::Event& event,
                              const ThreadAnalysis& thread) {
  const std::size_t process = model::index_of(tables.tracks[model::index_of(event.track)].process);
  if (process >= memory_.size() || !memory_[process]) return;
  const SpanStack& stack = thread.stack();
  memory_[process]->pass(stack.now().ts_ns, event.ts_ns, stack.bucket(), thread.in_step());
}

// Without persistent workers each epoch starts new ones: thousands in a long run.
void RunAnalysis::compact_ended(const model::Tables& tables) {
  const std::size_t count = std::min(processes_.size(), tables.processes.size());
  for (std::size_t i = 0; i < count; ++i) {
    if (processes_[i] && tables.processes[i].end_ns >= 0) processes_[i]->compact();
  }
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
  // More processes than any run has: what is read from a file may say anything.
  constexpr std::size_t kMostProcesses = 100'000;
  for (const model::Sample& sample : samples) {
    if (model::index_of(sample.series) >= series.all().size()) continue;
    const model::Series& of = series.all()[model::index_of(sample.series)];
    const std::size_t process = model::index_of(of.process);
    if (of.metric != kStepMemory || process >= kMostProcesses) continue;
    if (process >= memory_.size()) memory_.resize(process + 1);
    if (!memory_[process]) memory_[process] = std::make_unique<PhaseMemory>();
    memory_[process]->add_sample(sample.ts_ns, sample.value);
  }
}

std::uint64_t RunAnalysis::function_calls() const noexcept {
  std::uint64_t calls = 0;
  for (const auto& process : processes_) calls += process ? process->functions().calls() : 0;
  return calls;
}

std::vector<ListedFunction> RunAnalysis::function_list(const model::Tables& tables) const {
  std::vector<const FunctionTable*> functions;
  for (const auto& process : processes_) {
    if (process) functions.push_back(&process->functions());
  }
  return list_functions(tables, functions);
}

RunFacts RunAnalysis::facts(const model::Run& run, const model::Quality& quality,
                            const model::Tables& tables) const {
  return build_facts(run, quality, tables, true);
}

RunFacts RunAnalysis::facts_for_verdict(const model::Run& run, const model::Quality& quality,
                                        const model::Tables& tables) const {
  return build_facts(run, quality, tables, false);
}

RunFacts RunAnalysis::build_facts(const model::Run& run, const model::Quality& quality,
                                  const model::Tables& tables, bool for_report) const {
  FactsBuilder builder({.run = run,
                        .quality = quality,
                        .tables = tables,
                        .processes = processes_,
                        .threads = threads_,
                        .memory = memory_,
                        .resources = resources_,
                        .hooks = hooks_,
                        .latest_ns = std::max(latest_ns_, resources_.latest_ns()),
                        .malformed = malformed_,
                        .for_report = for_report});
  return builder.build();
}

}  // namespace latido::analysis
