// PacketView: one TracePacket taken apart, as far as segments use it. Pure bytes to values.
//
// Called by SegmentReader. Input is hostile: false means the bytes are no well-formed message;
// wrong wire types and unknown fields are skipped. The views point into the input.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "model/timeline.h"

namespace latido::formats::perfetto {

struct PacketView {
  std::uint32_t sequence = 0;
  std::uint32_t flags = 0;  // SequenceFlag
  std::optional<std::uint64_t> timestamp;
  std::optional<std::uint32_t> clock_id;
  std::optional<std::uint32_t> default_clock_id;  // from the packet's defaults
  std::optional<std::uint64_t> clock_start;       // of the sequence's incremental clock
  std::string_view compressed;
  std::string_view track_event;
  std::string_view latido;
  bool has_track_event = false;
};

struct EventView {
  std::uint32_t type = 0;  // EventType
  std::uint64_t name_iid = 0;
  std::uint64_t counter_bits = 0;
  std::uint64_t value = 0;
  std::uint64_t index = 0;
  std::string_view text;
};

struct ProcessView {
  std::uint64_t index = 0;
  model::Process process;
};

struct TrackView {
  std::uint64_t index = 0;
  model::Track track;
};

struct SiteView {
  std::uint64_t index = 0;
  std::string_view name;
  std::string_view category;
  std::string_view file;
  std::uint32_t line = 0;
};

struct ArgView {
  std::uint64_t site = 0;  // index + 1
  std::uint64_t number = 0;
  std::uint32_t index = 0;
};

struct LatidoView {
  std::optional<std::uint64_t> version;
  std::optional<ProcessView> process;
  std::optional<TrackView> track;
  std::optional<SiteView> site;
  std::optional<ArgView> arg;
  std::optional<std::int64_t> continued_ns;
  std::optional<std::uint64_t> text_id;
  bool paused = false;
};

bool parse_packet(std::string_view bytes, PacketView& out);
bool parse_event(std::string_view bytes, EventView& out);
bool parse_latido(std::string_view bytes, LatidoView& out);

// Cuts the next top-level packet off `bytes`. False when what is left is not a whole packet.
bool next_packet(std::string_view& bytes, std::string_view& packet);

}  // namespace latido::formats::perfetto
