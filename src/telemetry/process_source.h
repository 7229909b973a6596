// ProcessSource: samples the processes of a run.
//
// Used by the agent's sampling thread, alone. Counters stay cumulative. A process is a pid and its start
// time: when another one takes over the pid, sampling stops instead of mixing the two.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/ids.h"
#include "model/sample.h"
#include "telemetry/pid_stat.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class ProcessSource {
 public:
  explicit ProcessSource(std::string root = "/");

  // From now on samples `pid` as `id`; replaces an earlier id of that pid. With `start_ticks` (see
  // process_tree.h) only the process that started then is meant. Errors: kNotFound when it is gone or
  // its pid now names another one; kInvalidInput when the kernel's file makes no sense.
  Status add(std::int32_t pid, model::ProcessId id,
             std::optional<std::uint64_t> start_ticks = std::nullopt);
  void remove(std::int32_t pid);
  std::size_t size() const noexcept { return entries_.size(); }

  // Appends one sample for each series of each process. Processes that have gone are forgotten; of one
  // that has ended and waits for its parent only the counters are sampled. `now_ns`: CLOCK_MONOTONIC.
  // `series` must be the same table on every call.
  void sample(std::int64_t now_ns, model::SeriesTable& series, std::vector<model::Sample>& out);

  // As of the last sample(): "<metric>: <reason>" for each series that some process did not give, with
  // the first such process's reason and how many there were.
  std::vector<std::string> absent() const;

 private:
  struct Slots {
    explicit Slots(model::ProcessId id);

    SeriesSlot user, system, minor_faults, major_faults, rss, threads;  // stat
    SeriesSlot read, read_chars, write;                                 // io
    SeriesSlot swap, peak_rss, voluntary, involuntary;                  // status
    SeriesSlot run_delay;                                               // schedstat
  };
  struct Entry {
    std::int32_t pid;
    std::uint64_t start_ticks;
    SeriesFile stat;
    SeriesFile io;
    SeriesFile status;
    SeriesFile schedstat;
    Slots slots;
  };
  static void let_go(Entry& entry) noexcept;
  // False: the process is gone.
  bool sample_entry(Entry& entry, SampleSink& sink);
  static void sample_stat(Entry& entry, const PidStat& stat, SampleSink& sink);
  void sample_io(Entry& entry, SampleSink& sink);
  void sample_status(Entry& entry, SampleSink& sink);
  void sample_schedstat(Entry& entry, SampleSink& sink);

  ProcRoot root_;
  FileBuffer buffer_;
  std::vector<Entry> entries_;
};

}  // namespace latido::telemetry
