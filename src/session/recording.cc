#include "session/recording.h"

#include <stdlib.h>
#include <sys/resource.h>
#include <sys/un.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <limits>

#include "agent/recording_cost.h"
#include "analysis/sampled_functions.h"
#include "base/clock.h"
#include "session/native_names.h"
#include "store/run_index.h"
#include "store/sqlite/call_tree_store.h"
#include "store/sqlite/function_name_store.h"
#include "store/sqlite/run_database.h"

namespace latido::session {
namespace {

namespace fs = std::filesystem;

// A path that fits a socket's address: in the run's folder where that is short enough, else in a fresh
// folder for temporary files.
std::string choose_socket_path(const fs::path& run_folder) {
  std::string in_run = run_folder / "agent.sock";
  if (in_run.size() < sizeof(sockaddr_un{}.sun_path)) return in_run;
  std::error_code error;
  std::string pattern = fs::temp_directory_path(error) / "latido-XXXXXX";
  if (error || ::mkdtemp(pattern.data()) == nullptr) return in_run;
  return pattern + "/agent.sock";
}

formats::perfetto::ClockAnchor read_clock_anchor() {
  return {.monotonic_ns = monotonic_now_ns(),
          .boottime_ns = boottime_now_ns(),
          .realtime_ns = wall_now_ns()};
}

// Of the looks at stacks that were asked for. Turns that measure compare all with nothing.
double share_of_looks(model::Reduction reduction, bool measures) noexcept {
  switch (reduction) {
    case model::Reduction::kNone:
      return 1;
    case model::Reduction::kAdaptive:
      return 0.5;
    case model::Reduction::kNoRearm:
      return 0.2;
    case model::Reduction::kStepsOnly:
      return measures ? 0 : 0.1;
  }
  return 1;
}

}  // namespace

Result<std::unique_ptr<Recording>> Recording::begin(const Settings& settings, model::Run run) {
  auto folder = store::RunFolder::create(settings.home, run.id);
  if (!folder) return std::move(folder).error().with_context("making the run's folder");
  std::string socket_path = choose_socket_path(folder.value().path());
  auto agent = agent::Agent::start(socket_path);
  if (!agent) return std::move(agent).error();
  auto database = store::create_run_database(folder.value().database_path());
  if (!database) return std::move(database).error().with_context("making run.db");
  std::unique_ptr<Recording> recording(
      new Recording(settings, std::move(run), std::move(folder).value(), std::move(agent).value(),
                    std::move(socket_path), std::move(database).value()));
  auto series = store::SqliteSeriesStore::open(recording->database_);
  if (!series) return std::move(series).error().with_context("making run.db");
  recording->series_ = std::move(series).value();
  if (settings.sample_hz > 0) {
    recording->stacks_ =
        std::make_unique<agent::StackSampler>(settings.sample_hz, settings.sample_core_ratio);
  }
  recording->agent_->limit_overhead({.budget_ratio = settings.keep_overhead_budget
                                                         ? settings.overhead_budget_ratio
                                                         : std::numeric_limits<double>::infinity(),
                                     .measure = settings.measure_overhead,
                                     .cores = recording->run_.environment.cores,
                                     .seed = static_cast<std::uint64_t>(monotonic_now_ns())});
  recording->keep(recording->catalog_.put_run(recording->run_));
  recording->keep(store::write_meta(recording->folder_.path(), recording->run_));
  return recording;
}

Recording::Recording(const Settings& settings, model::Run run, store::RunFolder folder,
                     std::unique_ptr<agent::Agent> agent, std::string socket_path,
                     store::Database database)
    : run_(std::move(run)),
      folder_(std::move(folder)),
      agent_(std::move(agent)),
      socket_path_(std::move(socket_path)),
      timeline_(folder_, read_clock_anchor(), settings.max_run_bytes),
      budget_ratio_(settings.overhead_budget_ratio),
      measures_overhead_(settings.measure_overhead),
      database_(std::move(database)),
      catalog_(database_),
      cpu_at_start_ns_(process_cpu_now_ns()) {}

Recording::~Recording() {
  agent_.reset();  // removes the socket
  const fs::path socket_folder = fs::path(socket_path_).parent_path();
  std::error_code ignored;
  if (socket_folder != folder_.path()) fs::remove(socket_folder, ignored);
}

// Remembers the first failure of the store; the run goes on without what it lost.
void Recording::keep(const Status& status) {
  if (!status && store_error_.empty()) store_error_ = status.error().message;
}

std::uint64_t Recording::drain() {
  std::uint64_t records = 0;
  do {
    records += agent_->drain(batch_);
    consume();
  } while (agent_->behind());
  if (records > 0) last_data_ns_ = monotonic_now_ns();
  const std::int64_t now_ns = monotonic_now_ns();
  constexpr std::int64_t kBetweenLooksAtMemory_ns = 80'000'000;
  if (now_ns >= next_memory_ns_) {
    next_memory_ns_ = now_ns + kBetweenLooksAtMemory_ns;
    agent_->sample_memory(now_ns, batch_);
    consume();
  }
  const model::Reduction reduction = agent_->steer(now_ns);
  if (stacks_) {
    // A child may live for less than the time between two samples of the host.
    constexpr std::int64_t kBetweenLooksAtTree_ns = 250'000'000;
    if (now_ns >= next_tree_ns_) {
      next_tree_ns_ = now_ns + kBetweenLooksAtTree_ns;
      agent_->follow_tree(now_ns);
    }
    stacks_->watch(agent_->live_processes());
    stacks_->set_share(share_of_looks(reduction, measures_overhead_));
    if (analysis_.has_steps()) stacks_->note_first_step();
  }
  return records;
}

void Recording::sample(std::int64_t now_ns) {
  agent_->sample(now_ns, batch_);
  consume();
}

void Recording::flush_stacks() {
  if (!stacks_) return;
  const agent::CallTreeBuilder::Changes changes = stacks_->take_changes();
  keep(store::CallTreeStore(database_).put(changes.first_frame, changes.first_node, changes.part));
}

void Recording::consume() {
  if (batch_.empty()) return;
  timeline_.append(batch_.events, agent_->tables());
  analysis_.add_events(agent_->tables(), batch_.events);
  analysis_.add_samples(agent_->series(), batch_.samples);
  unflushed_.insert(unflushed_.end(), batch_.samples.begin(), batch_.samples.end());
  batch_.clear();
}

void Recording::flush(std::int64_t now_ns) {
  timeline_.flush();
  for (const store::SegmentEntry& entry : timeline_.take_changed())
    keep(catalog_.put_segment(entry));
  keep(catalog_.put_processes(agent_->tables().processes));
  if (!unflushed_.empty()) {
    keep(series_->append(++sequence_, unflushed_, agent_->series()));
    unflushed_.clear();
  }
  flush_stacks();
  keep(catalog_.put_quality(quality(now_ns)));
}

model::Quality Recording::quality(std::int64_t now_ns) const {
  const agent::AgentCounts counts = agent_->counts();
  model::Quality quality;
  quality.accepted = counts.records;
  quality.dropped = counts.dropped + timeline_.left_out();
  quality.malformed = counts.malformed;
  const agent::Overhead overhead =
      agent::estimate_overhead({.records = counts.records,
                                .function_records = 2 * analysis_.function_calls(),
                                .agent_cpu_ns = process_cpu_now_ns() - cpu_at_start_ns_,
                                .wall_ns = now_ns - run_.start_ns,
                                .cores = run_.environment.cores});
  quality.overhead_ratio = overhead.ratio;
  quality.overhead_low_ratio = overhead.low_ratio;
  quality.overhead_high_ratio = overhead.high_ratio;
  quality.overhead_budget_ratio = budget_ratio_;
  quality.detail_changes = agent_->detail_changes();
  quality.notes = notes_;
  if (counts.refused_rings > 0) {
    quality.notes.push_back("processes_not_recorded: " + std::to_string(counts.refused_rings));
  }
  if (counts.other_sites > 0) {
    quality.notes.push_back("zones_under_one_name: " + std::to_string(counts.other_sites));
  }
  if (stacks_) {
    for (const std::string& why : stacks_->refusals()) {
      quality.notes.push_back("stacks_not_sampled: " + why);
    }
  }
  quality.absent_series = agent_->absent_series();
  if (!timeline_.stopped_why().empty())
    quality.notes.push_back("timeline_stopped: " + timeline_.stopped_why());
  if (!store_error_.empty()) quality.notes.push_back("store_failed: " + store_error_);
  return quality;
}

// What turns have measured replaces what was estimated of functions, layers and stacks; what steps and
// phases alone cost is estimated also then.
void Recording::use_measured(analysis::RunFacts& facts) const {
  const analysis::DetailCost* dearest = nullptr;
  for (const analysis::RankFacts& rank : facts.ranks) {
    if (!rank.detail_cost) continue;
    if (dearest == nullptr || rank.detail_cost->ratio > dearest->ratio) {
      dearest = &*rank.detail_cost;
    }
  }
  if (dearest == nullptr) return;
  const std::uint64_t records = agent_->counts().records;
  const agent::Overhead steps = agent::estimate_overhead(
      {.records = records - std::min(records, 2 * analysis_.function_calls()),
       .wall_ns = facts.run.wall_ns()});
  model::Quality& quality = facts.quality;
  quality.overhead_how = "measured";
  quality.overhead_ratio = std::max(0.0, dearest->ratio + steps.ratio);
  quality.overhead_low_ratio = std::max(0.0, dearest->low_ratio + steps.low_ratio);
  quality.overhead_high_ratio = std::max(0.0, dearest->high_ratio + steps.high_ratio);
}

void Recording::name_functions() {
  if (!has_native_functions(agent_->tables())) return;
  FoundNames found = find_native_names(agent_->tables());
  for (std::string& problem : found.problems) {
    note("functions_without_names: " + std::move(problem));
  }
  keep(store::FunctionNameStore(database_).put(found.names));
  named_ = agent_->tables();
  apply_native_names(found.names, *named_);
}

model::Run Recording::run_so_far(std::int64_t now_ns) const {
  model::Run run = run_;
  if (run.end.kind == model::EndKind::kRunning) run.end_ns = now_ns;
  return run;
}

analysis::RunFacts Recording::facts_for_verdict(std::int64_t now_ns) const {
  analysis::RunFacts facts =
      analysis_.facts_for_verdict(run_so_far(now_ns), quality(now_ns), agent_->tables());
  use_measured(facts);
  return facts;
}

analysis::RunFacts Recording::finish(std::int64_t now_ns, const model::RunEnd& end) {
  drain();
  sample(now_ns);
  run_.end = end;
  run_.end_ns = now_ns;
  timeline_.finish();
  name_functions();
  flush(now_ns);
  analysis::RunFacts facts =
      analysis_.facts(run_so_far(now_ns), quality(now_ns), named_ ? *named_ : agent_->tables());
  use_measured(facts);
  if (stacks_) {
    facts.calls = stacks_->tree();
    analysis::add_sampled_functions(facts);
  }
  run_ = facts.run;
  keep(catalog_.put_run(run_));
  // Without what analysis counted: whoever reads the recording counts that again.
  model::Quality stored = quality(now_ns);
  stored.hooks = facts.quality.hooks;
  stored.overhead_how = facts.quality.overhead_how;
  stored.overhead_ratio = facts.quality.overhead_ratio;
  stored.overhead_low_ratio = facts.quality.overhead_low_ratio;
  stored.overhead_high_ratio = facts.quality.overhead_high_ratio;
  const bool stored_so_far = store_error_.empty();
  keep(catalog_.put_quality(stored));
  for (const analysis::RankFacts& rank : facts.ranks) {
    keep(catalog_.put_steps(rank.process, 0, rank.steps));
  }
  keep(store::write_meta(folder_.path(), run_));
  if (stored_so_far && !store_error_.empty()) {
    facts.quality.notes.push_back("store_failed: " + store_error_);
  }
  return facts;
}

void Recording::store_diagnosis(const model::Diagnosis& diagnosis) {
  keep(catalog_.put_diagnosis(diagnosis));
  keep(series_->seal());
  keep(store::seal_run_database(database_));
}

}  // namespace latido::session
