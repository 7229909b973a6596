// SegmentWriter: turns events into segments of Perfetto protobuf, block by block.
//
// Called by the recording thread only. Does no I/O: the caller appends what take_block()
// returns to a file. A segment stands alone (docs/formats/segments.md); the segments of a run one
// after the other are one trace. Blocks are whole or absent: a truncated file loses its last block
// only.
//
//   while (!events.empty()) {
//     events = events.subspan(writer.append(events, tables));
//     if (writer.segment_full()) { file.append(writer.finish_segment()); file = next(); }
//   }
//   file.append(writer.take_block());  // at every flush
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "formats/perfetto/deflate.h"
#include "formats/perfetto/event_code.h"
#include "formats/perfetto/table_packets.h"
#include "formats/perfetto/track_sequence.h"
#include "model/timeline.h"

namespace latido::formats::perfetto {

class SegmentWriter {
 public:
  struct Options {
    ClockAnchor anchor = {};
    int deflate_level = 1;                   // higher ones cost twice the time and gain little
    std::size_t block_bytes = 256U << 10U;   // before compression; Perfetto allows 512 KB
    std::size_t segment_bytes = 16U << 20U;  // before compression
  };

  // What the current segment's index entry says. min above max: no event yet.
  struct Range {
    std::int64_t min_ns = INT64_MAX;
    std::int64_t max_ns = INT64_MIN;
    std::uint64_t events = 0;
  };

  explicit SegmentWriter(const Options& options);

  // Takes events from the front until the segment is full; returns how many it took. `tables` must
  // be the same that only grows (processes and tracks may also change in place).
  std::size_t append(std::span<const model::Event> events, const model::Tables& tables);

  // No further event fits: call finish_segment() before the next append().
  bool segment_full() const noexcept;

  // Everything finished since the last call, compressed. Empty when there is nothing new.
  std::vector<std::byte> take_block();

  // The last bytes of the segment; the next append() begins a new one.
  std::vector<std::byte> finish_segment();

  const Range& range() const noexcept { return range_; }
  // Events whose site, track or text is not in the tables. Not written.
  std::uint64_t malformed() const noexcept { return malformed_; }

 private:
  void begin_segment(std::span<const model::Event> events, const model::Tables& tables);
  void write_processes(const model::Tables& tables);
  TrackSequence& sequence_of(model::TrackId id, const model::Tables& tables);
  void define_site(model::SiteId id, const model::Tables& tables);
  void write(const model::Event& event, const model::Tables& tables);
  std::uint64_t counter_of(const model::Event& event, const model::Tables& tables);
  void seal_full_block();
  void seal_block();

  Options options_;
  Deflater deflater_;
  std::string raw_;             // block under construction
  std::vector<std::byte> out_;  // finished blocks
  bool segment_begun_ = false;
  std::size_t sealed_bytes_ = 0;  // of this segment, before compression
  std::size_t open_zones_ = 0;
  std::int64_t base_ns_ = INT64_MIN;  // of this segment: where the incremental clocks begin
  Range range_;
  std::uint64_t malformed_ = 0;
  std::vector<TrackSequence> tracks_;
  std::vector<BeginCode> begin_codes_;     // by site; size 0: not defined in this segment
  std::vector<model::Process> processes_;  // as written in this segment
  std::map<std::pair<model::ProcessId, std::string>, std::uint64_t> counters_;
  std::vector<bool> counters_written_;  // in this segment
};

}  // namespace latido::formats::perfetto
