// ChromeWriter: a run's timeline as Trace Event Format (its JSON object form), piece by piece.
//
// For chrome://tracing, Perfetto and the many tools that read Chrome traces. Called by the export of a
// recorded run, on one thread. Does no I/O: the caller writes what take() returns. Keeps the spans that are
// open and the text of call sites, nothing of what was written.
//
//   begin, end   "X", complete events; a zone that crosses function calls: "b" and "e", asynchronous
//   value        "C", a counter of its process          instant, text   "i", on its thread
//   series       "C", of its process or of "machine"    names           "M"
//
// Times are microseconds since the start of the run, exact to the nanosecond.
#pragma once

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/chrome_json/track_spans.h"
#include "model/run.h"
#include "model/sample.h"
#include "model/timeline.h"

namespace latido::formats::chrome_json {

class ChromeWriter {
 public:
  // `version` is that of the program that writes.
  ChromeWriter(const model::Run& run, std::string_view version);

  // Events in the order of the timeline. `tables` must be the same that only grows.
  void append(std::span<const model::Event> events, const model::Tables& tables);
  // Points of one series.
  void append_series(const model::Series& series, std::span<const model::Sample> samples,
                     const model::Tables& tables);
  // Ends what is open, at the end of its process or of the run, and the document.
  void finish(const model::Tables& tables);

  // What was written since the last call.
  std::string take();

  struct Counts {
    std::uint64_t spans = 0;
    std::uint64_t unfinished = 0;  // their own end is missing
    std::uint64_t malformed = 0;   // events whose site, track or text is not in the tables
    std::uint64_t not_finite = 0;  // values that JSON cannot say; left out
  };
  const Counts& counts() const noexcept { return counts_; }

 private:
  struct Thread {
    std::int32_t pid = 0;
    std::int32_t tid = 0;
    TrackSpans spans;
    bool used = false;
  };

  void write(const model::Event& event, const model::Tables& tables);
  void write_span(const Ended& span, const Thread& thread, const model::Tables& tables);
  void write_point(const model::Event& event, const Thread& thread, const model::Tables& tables);
  void write_counter(std::string_view quoted_name, std::int32_t pid, std::int64_t ts_ns,
                     double value);
  void write_name(std::string_view what, std::int32_t pid, std::int32_t tid, std::string_view name);
  void write_names(const model::Tables& tables);
  // `{"ph":"X",<name>,"pid":1,"tid":1,"ts":0.5`, left open for more.
  void open_event(std::string_view phase, std::string_view name, std::int32_t pid, std::int32_t tid,
                  std::int64_t ts_ns);
  void put_args(const Ended& span, const model::Tables& tables);
  const std::string& name_of(model::SiteId site, const model::Tables& tables);
  Thread* thread_of(model::TrackId track, const model::Tables& tables);
  std::int32_t pid_of(model::ProcessId process, const model::Tables& tables);

  std::string out_;
  bool any_ = false;  // a comma comes before the next event
  std::int64_t start_ns_ = 0;
  std::int64_t end_ns_ = 0;
  std::vector<std::string> names_;                   // by site: `"name":"fit","cat":"function"`
  std::vector<Thread> threads_;                      // by track
  std::map<std::int32_t, model::ProcessId> owners_;  // of process ids: a system uses them again
  std::vector<std::int32_t> pids_;                   // by process; 0: not known yet
  bool machine_used_ = false;
  std::uint64_t loose_spans_ = 0;
  std::vector<Ended> ended_;
  Counts counts_;
};

}  // namespace latido::formats::chrome_json
