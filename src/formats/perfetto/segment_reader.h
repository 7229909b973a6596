// SegmentReader: segments back to tables and events, exactly as they were written.
//
// Called by whoever analyses a recorded run, on one thread, one segment after the other in order
// (leaving some out is fine). Input is hostile: lengths, counts and inflation are limited. What can
// be read is delivered; the rest is counted. After a damaged block a track's events are lost until
// the next segment, since everything in between builds on what the block said.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "formats/perfetto/deflate.h"
#include "formats/perfetto/open_zones.h"
#include "formats/perfetto/packet_view.h"
#include "formats/perfetto/table_reader.h"
#include "model/timeline.h"

namespace latido::formats::perfetto {

class SegmentReader {
 public:
  SegmentReader();

  // Gets events in the order of the file; what they point to is in tables() by then.
  using Sink = std::function<void(std::span<const model::Event>)>;

  struct Counts {
    std::uint64_t events = 0;
    std::uint64_t malformed = 0;  // packets that did not make sense
    std::uint64_t lost = 0;       // packets that build on something damaged or left out
    std::uint64_t damaged_blocks = 0;
    std::uint64_t truncated_bytes = 0;  // at the end of a segment: a packet that is not whole
    std::uint64_t repaired_zones = 0;   // ended by the reader: their own end was lost
  };

  // kUnsupported: recorded by a newer version; nothing more was delivered. Damage is no error.
  Status read(std::span<const std::byte> segment, const Sink& sink);

  const model::Tables& tables() const noexcept { return table_reader_.tables(); }
  const Counts& counts() const noexcept { return counts_; }

 private:
  struct Sequence {
    bool valid = false;  // its state was cleared and no block was lost since
    bool has_track = false;
    model::TrackId track{};
    std::uint32_t default_clock = 0;
    std::uint64_t clock_ns = 0;
  };

  Status read_packet(const PacketView& packet);
  Status read_block(std::string_view compressed);
  bool read_tables(const LatidoView& latido, Sequence& sequence);
  bool read_timed(const PacketView& packet, const LatidoView& latido, Sequence& sequence);
  bool read_event(const EventView& view, const LatidoView& latido, model::Event event);
  bool read_zone(const EventView& view, const LatidoView& latido, model::Event event);
  bool read_point(const EventView& view, const LatidoView& latido, model::Event event);
  Sequence* sequence_of(std::uint32_t id);
  void lose_block();
  void flush_batch(std::size_t least);

  Inflater inflater_;
  TableReader table_reader_;
  std::vector<OpenZones> zones_;  // by track
  std::vector<Sequence> sequences_;
  std::vector<model::Event> batch_;
  Sink sink_;  // during read()
  Counts counts_;
  std::size_t inflated_bytes_ = 0;  // of this segment
};

}  // namespace latido::formats::perfetto
