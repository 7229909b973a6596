// RunCatalog: what run.db knows of a run besides its series: the run itself, processes, steps, the
// index of segments, the diagnosis.
//
// Used by session while recording (every put is one transaction) and by commands that read. Borrows
// the database; same thread. Errors as database.h says; kDataLoss also for a document that cannot be
// read.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/finding.h"
#include "model/ids.h"
#include "model/run.h"
#include "model/step.h"
#include "model/timeline.h"
#include "store/sqlite/database.h"

namespace latido::store {

struct SegmentEntry {
  std::uint32_t number = 0;
  std::uint64_t bytes = 0;  // written so far; after a kill the file may be longer
  std::int64_t min_ns = 0;  // of its events, CLOCK_MONOTONIC
  std::int64_t max_ns = 0;
  std::uint64_t events = 0;

  bool operator==(const SegmentEntry&) const = default;
};

class RunCatalog {
 public:
  // `database` must outlive the catalog.
  explicit RunCatalog(Database& database) : database_(database) {}

  Status put_run(const model::Run& run);
  Result<model::Run> run();

  Status put_quality(const model::Quality& quality);
  Result<model::Quality> quality();  // kNotFound when none was put

  // All of them, by position: later calls replace what changed.
  Status put_processes(std::span<const model::Process> processes);
  Result<std::vector<model::Process>> processes();

  // Steps of one process, `first` being the number of the first; a number that is there is replaced.
  Status put_steps(model::ProcessId process, std::uint64_t first,
                   std::span<const model::Step> steps);
  Result<std::vector<model::Step>> steps(model::ProcessId process);
  // Of the steady steps of all processes; kNotFound when there are none.
  Result<std::int64_t> mean_step_ns();

  Status put_segment(const SegmentEntry& entry);
  Result<std::vector<SegmentEntry>> segments();

  // Replaces the former one.
  Status put_diagnosis(const model::Diagnosis& diagnosis);
  Result<model::Diagnosis> diagnosis();  // kNotFound when none was put

 private:
  Status put_meta(std::string_view key, std::string_view value);
  Result<std::string> meta(std::string_view key);

  Database& database_;
};

}  // namespace latido::store
