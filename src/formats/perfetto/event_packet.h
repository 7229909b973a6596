// EventPacket: an event in full generality, for what event_code.h has no fixed shape for.
//
// Written by SegmentWriter: instants, values, texts, arguments, zones that end with arguments,
// zones that go on in another segment, and whatever is out of order.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "model/ids.h"

namespace latido::formats::perfetto {

struct PacketTime {
  std::uint64_t value = 0;
  bool absolute = false;  // on CLOCK_MONOTONIC; else since the packet before of the same sequence
};

struct SiteRef {
  model::SiteId site{};
  std::uint32_t category_iid = 0;
  bool has_location = false;
};

struct Annotation {
  std::uint64_t name_iid = 0;
  std::uint64_t number = 0;
};

struct CounterValue {
  std::uint64_t track_uuid = 0;
  std::uint64_t bits = 0;  // of a double
};

struct EventPacket {
  std::uint32_t sequence = 0;
  std::uint32_t type = 0;  // EventType
  PacketTime time;
  std::optional<SiteRef> site;
  std::optional<CounterValue> counter;
  std::span<const Annotation> annotations;
  std::optional<std::string_view> text;
  std::optional<std::uint32_t> text_id;
  std::optional<std::int64_t> continued_ns;  // begin repeated; when it truly began
  bool paused = false;                       // end that only closes the segment
};

void append_event(std::string& out, const EventPacket& event);

struct ArgPacket {
  std::uint32_t sequence = 0;
  PacketTime time;
  model::SiteId site{};
  std::uint64_t number = 0;
  std::uint32_t index = 0;
};

// Only for SegmentReader: viewers see arguments as annotations of the zone's end.
void append_arg(std::string& out, const ArgPacket& arg);

}  // namespace latido::formats::perfetto
