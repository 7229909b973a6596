// RingDecoder: turns the raw records of one process into model events. No I/O.
//
// Called from the agent's thread only. What does not make sense is counted, never passed on: an end
// without a begin, a site that was never defined, a time that runs backwards (set to the one before).
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <vector>

#include "agent/ring_mapping.h"
#include "agent/table_builder.h"
#include "agent/tick_clock.h"
#include "model/timeline.h"

namespace latido::agent {

class RingDecoder {
 public:
  // `tables` must outlive the decoder.
  RingDecoder(model::ProcessId process, TableBuilder& tables)
      : process_(process), tables_(&tables) {}

  // Gives the site records of chunks that were not drained yet.
  using SiteSource = std::function<std::vector<ThreadRecords>()>;

  // Appends the events of one drain. Returns how many records were malformed. `more_sites` is asked at
  // most once, for a site that `threads` use but do not define.
  std::uint64_t decode(std::span<const ThreadRecords> threads, const TickClock& clock,
                       std::vector<model::Event>& out, const SiteSource& more_sites = {});

  model::ProcessId process() const noexcept { return process_; }
  // Threads seen since the last call, to be named.
  std::vector<model::TrackId> take_new_tracks() { return std::exchange(new_tracks_, {}); }

 private:
  struct Thread {
    model::TrackId track{};
    std::int64_t last_ns = 0;
    std::vector<model::SiteId> open;  // innermost last
  };

  void define_site(const RawRecord& record, std::string_view text);
  void define_sites(std::span<const ThreadRecords> threads);
  bool knows_site_of(const RawRecord& record) const noexcept;
  Thread& thread(const ThreadRecords& records);
  bool append(const ThreadRecords& records, const RawRecord& record, std::int64_t ts_ns,
              Thread& thread, std::vector<model::Event>& out);
  bool fill_extended(const ThreadRecords& records, const RawRecord& record, const Thread& thread,
                     model::Event& event);

  model::ProcessId process_;
  TableBuilder* tables_;
  std::vector<std::int64_t> sites_;          // ring site id → run SiteId, -1 when not defined
  std::map<std::uint32_t, Thread> threads_;  // by ThreadRecords::thread
  std::vector<model::TrackId> new_tracks_;
};

}  // namespace latido::agent
