#include "analysis/facts_builder.h"

#include <algorithm>
#include <set>
#include <tuple>

#include "analysis/function_list.h"
#include "analysis/run_end.h"
#include "analysis/worker_facts.h"

namespace latido::analysis {
namespace {

constexpr std::size_t kMostZones = 50;
constexpr std::size_t kMostFunctions = 200;

// What the hook wrote down of the loader when it was first seen.
void add_text(LoaderFacts& loader, const LoaderText& text) {
  const auto small = [](std::int64_t value) {
    return static_cast<std::uint32_t>(std::clamp<std::int64_t>(value, 0, 0xFFFF'FFFF));
  };
  loader.file = text.file;
  loader.line = text.line;
  if (text.workers >= 0) loader.workers = small(text.workers);
  loader.prefetch_factor = small(text.prefetch_factor);
  loader.dataset_length = text.dataset_length;
  loader.batch_size = text.batch_size;
}

}  // namespace

FactsBuilder::FactsBuilder(const FactsInput& input) : input_(input) {
  run_.begin_ns = input.run.start_ns;
  run_.end_ns = input.run.end_ns > 0 ? input.run.end_ns : input.latest_ns;
  run_.end_ns = std::max(run_.end_ns, run_.begin_ns);
}

RunFacts FactsBuilder::build() {
  RunFacts facts;
  facts.run = input_.run;
  facts.run.end_ns = run_.end_ns;
  facts.processes = input_.tables.processes;
  // Only what a process says of itself tells that it makes batches.
  for (std::size_t i = 0; i < std::min(facts.processes.size(), input_.processes.size()); ++i) {
    if (input_.processes[i] && input_.processes[i]->worker() != nullptr) {
      facts.processes[i].role = model::ProcessRole::kWorker;
    }
  }
  facts.quality = input_.quality;
  add_hooks(facts);
  find_trainers();
  add_ranks(facts);
  add_resources(facts);
  add_end(facts);
  return facts;
}

std::size_t FactsBuilder::process_of(std::size_t track) const {
  return model::index_of(input_.tables.tracks[track].process);
}

TimeRange FactsBuilder::life(std::size_t process) const {
  TimeRange life = run_;
  if (process >= input_.tables.processes.size()) return life;
  const model::Process& record = input_.tables.processes[process];
  if (record.start_ns > 0) life.begin_ns = record.start_ns;
  if (record.end_ns >= 0) life.end_ns = record.end_ns;
  return life;
}

std::optional<std::int32_t> FactsBuilder::rank_of(std::size_t process) const {
  if (process < input_.tables.processes.size() && input_.tables.processes[process].rank) {
    return input_.tables.processes[process].rank;
  }
  if (process < input_.processes.size() && input_.processes[process]) {
    return input_.processes[process]->rank();
  }
  return std::nullopt;
}

void FactsBuilder::add_hooks(RunFacts& facts) {
  for (const auto& process : input_.processes) {
    if (!process) continue;
    if (facts.run.environment.python.empty()) facts.run.environment.python = process->python();
    if (facts.run.environment.torch.empty()) facts.run.environment.torch = process->torch();
  }
  if (facts.quality.hooks.empty())
    facts.quality.hooks.assign(input_.hooks.begin(), input_.hooks.end());
  facts.quality.malformed += input_.malformed;
  std::uint64_t unmatched = 0;
  for (const auto& thread : input_.threads) {
    if (!thread) continue;
    facts.quality.late += thread->late_events();
    unmatched += thread->stack().unmatched();
  }
  if (unmatched > 0) {
    facts.quality.notes.push_back("ends_without_begin: " + std::to_string(unmatched));
  }
}

// Threads with steps; in a process that calls latido.step(), those that do.
void FactsBuilder::find_trainers() {
  std::set<std::size_t> api_processes;
  for (std::size_t i = 0; i < input_.threads.size(); ++i) {
    if (input_.threads[i] && input_.threads[i]->uses_api()) api_processes.insert(process_of(i));
  }
  for (std::size_t i = 0; i < input_.threads.size(); ++i) {
    const auto& thread = input_.threads[i];
    if (!thread || !thread->may_step()) continue;
    if (api_processes.contains(process_of(i)) && !thread->uses_api()) continue;
    Trainer trainer{.track = i, .process = process_of(i), .rest = thread->rest()};
    if (thread->steps().count() == 0 && trainer.rest.steps.empty()) continue;
    trainers_.push_back(std::move(trainer));
  }
  std::stable_sort(trainers_.begin(), trainers_.end(), [this](const Trainer& a, const Trainer& b) {
    return rank_of(a.process).value_or(0) < rank_of(b.process).value_or(0);
  });
}

void FactsBuilder::add_ranks(RunFacts& facts) {
  std::set<std::size_t> processes;
  for (const Trainer& trainer : trainers_) processes.insert(trainer.process);
  for (const Trainer& trainer : trainers_) {
    facts.ranks.push_back(make_rank(trainer, processes.size() < 2));
  }
  if (facts.ranks.empty()) facts.ranks.push_back(make_main_process());
}

RankFacts FactsBuilder::make_rank(const Trainer& trainer, bool single_process) const {
  const ThreadAnalysis& thread = *input_.threads[trainer.track];
  RankFacts rank = make_rank_facts({.thread = thread,
                                    .rest = trainer.rest,
                                    .process = *input_.processes[trainer.process],
                                    .hooks = input_.hooks,
                                    .start_ns = run_.begin_ns,
                                    .end_ns = std::max(run_.end_ns, thread.stack().now().ts_ns),
                                    .single_process = single_process});
  rank.rank = rank_of(trainer.process);
  rank.process = static_cast<model::ProcessId>(trainer.process);
  rank.zones = zones_of(trainer.process).largest(input_.tables, kMostZones, rank.step_count);
  rank.batch_shape = input_.processes[trainer.process]->batch_shape();
  input_.processes[trainer.process]->values().write_to(rank);
  add_functions(rank, {trainer.process}, {});
  rank.layers = input_.processes[trainer.process]->layers().facts(input_.tables);
  if (trainer.process < input_.memory.size() && input_.memory[trainer.process]) {
    rank.memory = input_.memory[trainer.process]->facts();
    if (input_.for_report) input_.memory[trainer.process]->fill_peaks(rank.steps);
  }
  add_cores(rank);
  if (rank.loader) add_loader(rank, trainer);
  return rank;
}

void FactsBuilder::add_loader(RankFacts& rank, const Trainer& trainer) const {
  LoaderFacts& loader = *rank.loader;
  const std::uint32_t number = main_loader(*input_.threads[trainer.track], trainer.rest);
  if (const LoaderPasses* const passes = input_.threads[trainer.track]->passes(number)) {
    loader.passes = passes->begun;
    loader.pass_batches = passes->last_batches;
  }
  const WorkerInput worker_input{.processes = input_.processes,
                                 .resources = input_.resources,
                                 .context = context(rank),
                                 .owner = trainer.process,
                                 .loader = number,
                                 .steps_ns = rank.parts.steps_ns};
  const std::vector<std::size_t> workers = find_workers(worker_input);
  rank.workers = make_workers(worker_input, workers);
  loader.workers = static_cast<std::uint32_t>(rank.workers.size());
  loader.made_mean_ns = mean_made_ns(worker_input, workers);
  ZoneTable zones;
  for (const std::size_t worker : workers) {
    if (input_.processes[worker]->has_seen(model::Category::kZone)) zones.add(zones_of(worker));
  }
  rank.worker_zones = zones.largest(input_.tables, kMostZones, 0);
  add_functions(rank, {trainer.process}, workers);

  if (const LoaderText* const text = input_.processes[trainer.process]->loader(number)) {
    add_text(loader, *text);
  }
  const auto wait_ns = rank.phases[static_cast<std::size_t>(model::Phase::kDataWait)].mean_ns;
  if (loader.workers == 0 && loader.batches > 0 && wait_ns > 0) {
    // Made by the loop itself, so the wait is the making.
    const double batches_per_step =
        static_cast<double>(loader.batches) / static_cast<double>(rank.stats.count);
    loader.made_mean_ns =
        static_cast<std::int64_t>(static_cast<double>(wait_ns) / batches_per_step);
  }
}

ZoneTable FactsBuilder::zones_of(std::size_t process) const {
  ZoneTable zones;
  zones.add(input_.processes[process]->zones());
  for (std::size_t i = 0; i < input_.threads.size(); ++i) {
    const auto& thread = input_.threads[i];
    if (!thread || process_of(i) != process) continue;
    zones.add_open(thread->stack(), life(process).end_ns, thread->in_step());
  }
  return zones;
}

FunctionTable FactsBuilder::functions_of(std::size_t process) const {
  FunctionTable functions;
  functions.add(input_.processes[process]->functions());
  for (std::size_t i = 0; i < input_.threads.size(); ++i) {
    const auto& thread = input_.threads[i];
    if (!thread || process_of(i) != process) continue;
    for (const FunctionCall& call : thread->functions().still_open(life(process).end_ns)) {
      functions.add(call, thread->in_step());
    }
  }
  return functions;
}

void FactsBuilder::add_functions(RankFacts& rank, const std::vector<std::size_t>& own,
                                 const std::vector<std::size_t>& workers) const {
  if (!input_.for_report) return;
  FunctionTable all;
  for (const std::size_t process : own) all.add(functions_of(process));
  rank.functions = all.largest(input_.tables, kMostFunctions, rank.step_count);
  FunctionTable in_workers;
  for (const std::size_t process : workers) in_workers.add(functions_of(process));
  rank.worker_functions = in_workers.largest(input_.tables, kMostFunctions, 0);
  all.add(in_workers);
  rank.function_counts = all.counts();
  rank.function_counts.excluded = count_excluded(input_.tables);
  rank.function_counts.some_dropped = input_.quality.dropped > 0;
  for (const std::size_t process : own) {
    if (input_.processes[process]->functions_in_windows()) rank.function_counts.in_windows = true;
  }
}

// The process to show when none steps: the one whose zones take most time, else the command itself.
std::size_t FactsBuilder::busiest_process() const {
  std::size_t busiest = 0;
  std::int64_t most_ns = 0;
  for (std::size_t i = 0; i < input_.processes.size(); ++i) {
    if (!input_.processes[i]) continue;
    const std::int64_t own_ns = zones_of(i).total_self_ns();
    if (own_ns <= most_ns) continue;
    most_ns = own_ns;
    busiest = i;
  }
  return busiest;
}

RankFacts FactsBuilder::make_main_process() const {
  const std::size_t process = busiest_process();
  OutsideTotals outside;
  ZoneTable zones;
  ValueTable values;
  std::vector<std::size_t> recorded;
  for (std::size_t i = 0; i < input_.processes.size(); ++i) {
    if (!input_.processes[i]) continue;
    recorded.push_back(i);
    zones.add(zones_of(i));
    values.add(input_.processes[i]->values());
  }
  std::int64_t checkpoint_ns = 0;
  for (std::size_t i = 0; i < input_.threads.size(); ++i) {
    const auto& thread = input_.threads[i];
    if (!thread || process_of(i) != process) continue;
    const StepFinder::Rest rest = thread->rest();
    if (rest.outside.evaluation_ns > outside.evaluation_ns) outside = rest.outside;
    checkpoint_ns = std::max(checkpoint_ns, rest.outside.checkpoint_ns);
  }
  RankFacts rank;
  rank.rank = rank_of(process);
  rank.process = static_cast<model::ProcessId>(process);
  for (const model::Phase phase : model::kPhases) {
    if (phase == model::Phase::kOther) continue;
    rank.phases[static_cast<std::size_t>(phase)] = {.mean_ns = model::kNotMeasured,
                                                    .reason = "no_steps"};
  }
  rank.parts.evaluation_ns = outside.evaluation_ns;
  rank.parts.evaluations = outside.evaluations;
  rank.parts.checkpoint_ns = checkpoint_ns;
  rank.parts.checkpoints = outside.checkpoints;
  rank.parts.other_ns = run_.length_ns() - outside.evaluation_ns - checkpoint_ns;
  rank.zones = zones.largest(input_.tables, kMostZones, 0);
  add_functions(rank, recorded, {});
  values.write_to(rank);
  add_cores(rank);
  return rank;
}

ResourceAnalysis::Context FactsBuilder::context(const RankFacts& rank) const {
  ResourceAnalysis::Context context{
      .processes = input_.tables.processes, .run = run_, .window = run_, .main = rank.process};
  if (rank.steady_end_ns > rank.steady_start_ns) {
    context.window = {.begin_ns = rank.steady_start_ns, .end_ns = rank.steady_end_ns};
  }
  return context;
}

void FactsBuilder::add_cores(RankFacts& rank) const {
  const ResourceAnalysis::Context within = context(rank);
  const auto length_ns = static_cast<double>(within.window.length_ns());
  if (length_ns <= 0) return;
  if (const auto cpu_ns = input_.resources.cpu_ns(within, rank.process, within.window)) {
    rank.cpu_cores = *cpu_ns / length_ns;
  }
  const auto delay_ns = input_.resources.run_delay_ns(within, rank.process, within.window);
  if (delay_ns) rank.core_wait_ratio = std::min(1.0, *delay_ns / length_ns);
}

void FactsBuilder::add_resources(RunFacts& facts) const {
  const RankFacts& first = facts.ranks.front();
  const ResourceAnalysis::Context within = context(first);
  facts.resources =
      input_.resources.facts(within, static_cast<double>(input_.run.environment.cores));
  if (first.stats.count > 0) {
    const double step_ns =
        static_cast<double>(within.window.length_ns()) / static_cast<double>(first.stats.count);
    input_.resources.set_rss_growth(facts.resources, within, step_ns);
  }
  facts.curves = input_.resources.curves(within);
  facts.process_use = input_.resources.process_use(within);
}

void FactsBuilder::add_end(RunFacts& facts) const {
  model::RunEnd& end = facts.run.end;
  if (!ended_badly(end)) return;
  const std::optional<std::size_t> failed = failed_process();
  if (failed) set_exception(end, *input_.processes[*failed], rank_of(*failed));
  const std::vector<LastThread> threads = last_threads(failed);
  const auto raised = [&](const LastThread& last) {
    return set_raised(end, *last.thread, input_.tables, rank_of(last.process));
  };
  const auto working = [&](const LastThread& last) {
    return set_last_work(end, *last.thread, last.in_step, input_.tables, rank_of(last.process));
  };
  // A program that failed has left its spans; one that a signal ended has not, mostly.
  if (end.kind == model::EndKind::kExit) {
    if (std::ranges::any_of(threads, raised)) return;
    (void)std::ranges::any_of(threads, working);
  } else if (std::ranges::none_of(threads, working)) {
    (void)std::ranges::any_of(threads, raised);
  }
}

// Whose exception ended the run. Of several ranks the first that failed: the others lost their peer. A
// launcher fails after its ranks, and says less.
std::optional<std::size_t> FactsBuilder::failed_process() const {
  std::optional<std::size_t> failed;
  const auto order = [this](std::size_t process) {
    const bool trains = std::ranges::find(trainers_, process, &Trainer::process) != trainers_.end();
    const bool known = trains || rank_of(process);
    const std::int64_t ts_ns = input_.processes[process]->exception()->ts_ns;
    return std::tuple(!trains, !known, known ? ts_ns : 0);
  };
  for (std::size_t i = 0; i < input_.processes.size(); ++i) {
    const auto& process = input_.processes[i];
    if (!process || !process->exception() || process->worker() != nullptr) continue;
    if (!failed || order(i) < order(*failed)) failed = i;
  }
  return failed;
}

// The threads that may say what was going on, those that train first: of the process that failed, if
// one did, since the others only waited for it.
std::vector<FactsBuilder::LastThread> FactsBuilder::last_threads(
    std::optional<std::size_t> failed) const {
  std::vector<LastThread> threads;
  for (const Trainer& trainer : trainers_) {
    threads.push_back({.thread = input_.threads[trainer.track].get(),
                       .process = trainer.process,
                       .in_step = trainer.rest.in_step});
  }
  for (std::size_t i = 0; i < input_.threads.size(); ++i) {
    const auto& thread = input_.threads[i];
    if (!thread || input_.processes[process_of(i)]->worker() != nullptr) continue;
    threads.push_back({.thread = thread.get(), .process = process_of(i), .in_step = false});
  }
  if (failed) {
    std::erase_if(threads, [&](const LastThread& last) { return last.process != *failed; });
  }
  return threads;
}

}  // namespace latido::analysis
