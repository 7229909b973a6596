// Recording: everything that becomes of a run while it lives: its files, its store, its analysis.
//
// Owned by the session loop, one thread. Nothing here ends the run: what fails is noted and shown.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/agent.h"
#include "agent/stack_sampler.h"
#include "analysis/run_analysis.h"
#include "analysis/run_facts.h"
#include "base/result.h"
#include "model/finding.h"
#include "model/run.h"
#include "session/settings.h"
#include "session/timeline_files.h"
#include "store/run_folder.h"
#include "store/sqlite/database.h"
#include "store/sqlite/run_catalog.h"
#include "store/sqlite/sqlite_series_store.h"

namespace latido::session {

class Recording {
 public:
  // Makes the run's folder under `home` and begins to listen for the program's rings.
  // Errors: kUnavailable, kExhausted when nothing can be recorded there.
  static Result<std::unique_ptr<Recording>> begin(const Settings& settings, model::Run run);
  ~Recording();

  agent::Agent& agent() noexcept { return *agent_; }
  const model::Run& run() const noexcept { return run_; }
  const std::string& socket_path() const noexcept { return socket_path_; }
  const store::RunFolder& folder() const noexcept { return folder_; }

  // Takes what the programs recorded. Returns the number of records.
  std::uint64_t drain();
  void sample(std::int64_t now_ns);
  // Everything so far survives our death from then on.
  void flush(std::int64_t now_ns);

  // As of now, without what no rule looks at. Cheap enough for once a second.
  analysis::RunFacts facts_for_verdict(std::int64_t now_ns) const;

  // When the last record came, CLOCK_MONOTONIC; 0: none has come yet.
  std::int64_t last_data_ns() const noexcept { return last_data_ns_; }

  // The program ended like this; takes what is left and closes the files. Returns the final facts.
  analysis::RunFacts finish(std::int64_t now_ns, const model::RunEnd& end);
  void store_diagnosis(const model::Diagnosis& diagnosis);

  void note(std::string message_id) { notes_.push_back(std::move(message_id)); }

 private:
  Recording(const Settings& settings, model::Run run, store::RunFolder folder,
            std::unique_ptr<agent::Agent> agent, std::string socket_path, store::Database database);
  void consume();
  void flush_stacks();
  void name_functions();
  model::Run run_so_far(std::int64_t now_ns) const;
  model::Quality quality(std::int64_t now_ns) const;
  void use_measured(analysis::RunFacts& facts) const;
  void keep(const Status& status);

  model::Run run_;
  store::RunFolder folder_;
  std::unique_ptr<agent::Agent> agent_;
  std::string socket_path_;
  TimelineFiles timeline_;
  double budget_ratio_;
  bool measures_overhead_;
  store::Database database_;
  store::RunCatalog catalog_;
  std::optional<store::SqliteSeriesStore> series_;
  std::unique_ptr<agent::StackSampler> stacks_;  // none when stacks are not sampled
  analysis::RunAnalysis analysis_;
  agent::Batch batch_;
  std::vector<model::Sample> unflushed_;
  std::uint64_t sequence_ = 0;
  std::int64_t cpu_at_start_ns_ = 0;
  std::int64_t last_data_ns_ = 0;
  std::int64_t next_memory_ns_ = 0;
  std::int64_t next_tree_ns_ = 0;
  std::optional<model::Tables> named_;  // once names of C and C++ functions were looked up
  std::vector<std::string> notes_;
  std::string store_error_;  // the first one; empty: none
};

}  // namespace latido::session
