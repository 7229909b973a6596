// TrackSequence: writes the events of one track as one packet sequence.
//
// One per track, owned by SegmentWriter. Knows what is open on the track, what its sequence has
// interned and where its incremental clock stands; never decides about blocks or segments.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "formats/perfetto/event_code.h"
#include "formats/perfetto/event_packet.h"
#include "model/timeline.h"

namespace latido::formats::perfetto {

class TrackSequence {
 public:
  struct OpenZone {
    model::SiteId site{};
    std::int64_t begin_ns = 0;
  };

  explicit TrackSequence(model::TrackId id) noexcept : id_(id) {}

  bool started() const noexcept { return started_; }
  const std::vector<OpenZone>& open() const noexcept { return open_; }  // outermost first

  // Begins the sequence in a new segment; zones still open are begun again, marked as continued.
  void start(std::string& out, const model::Tables& tables, std::int64_t base_ns);
  // Closes open zones for the viewer, marked as paused, since the segment ends.
  void finish(std::string& out);
  // Writes the track's description again if it changed.
  void refresh(std::string& out, const model::Tables& tables);

  // The event's site, text and track must be in the tables. `code` is the site's.
  void write_zone(std::string& out, const model::Event& event, const model::Tables& tables,
                  const BeginCode& code);
  void write_arg(std::string& out, const model::Event& event, const model::Tables& tables);
  // Instant, text, or value; `counter_uuid` for the value.
  void write_point(std::string& out, const model::Event& event, const model::Tables& tables,
                   std::uint64_t counter_uuid);

 private:
  struct PendingArg {
    std::size_t depth = 0;
    model::SiteId site{};
    std::uint64_t number = 0;
  };

  void write_end(std::string& out, const model::Event& event, const model::Tables& tables);
  SiteRef use_site(std::string& out, model::SiteId site, const model::Tables& tables);
  void use_arg_name(std::string& out, model::SiteId site, const model::Tables& tables);
  PacketTime advance(std::int64_t ts_ns) noexcept;
  EventPacket packet(std::uint32_t type, std::int64_t ts_ns) noexcept;

  model::TrackId id_;
  bool started_ = false;
  std::int64_t clock_ns_ = 0;  // the sequence's incremental clock
  std::int64_t last_ns_ = 0;   // of the track's last event
  std::vector<OpenZone> open_;
  std::vector<PendingArg> args_;  // of open zones, outermost first
  std::vector<bool> names_;       // sites interned in this segment
  std::vector<bool> arg_names_;
  std::uint32_t categories_ = 0;  // bit set
  model::Track written_;
  std::int32_t written_pid_ = 0;
};

}  // namespace latido::formats::perfetto
