#include "formats/perfetto/packet_view.h"

#include <protozero/pbf_reader.hpp>

#include "formats/perfetto/fields.h"

namespace latido::formats::perfetto {
namespace {

using protozero::pbf_reader;
using protozero::pbf_wire_type;

constexpr std::uint32_t varint(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::varint);
}
constexpr std::uint32_t bytes(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::length_delimited);
}
constexpr std::uint32_t fixed64(std::uint32_t field) {
  return protozero::tag_and_type(field, pbf_wire_type::fixed64);
}

std::string_view take_view(pbf_reader& message) {
  const protozero::data_view view = message.get_view();
  return {view.data(), view.size()};
}

// Runs `field(message)` for each field; it must read or skip the field. The parser's exceptions end
// here.
template <typename Field>
bool for_each_field(std::string_view input, Field field) {
  try {
    pbf_reader message(input.data(), input.size());
    while (message.next()) field(message);
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

bool parse_defaults(std::string_view input, PacketView& out) {
  return for_each_field(input, [&](pbf_reader& message) {
    if (message.tag_and_type() == varint(DefaultsField::kTimestampClockId)) {
      out.default_clock_id = message.get_uint32();
    } else {
      message.skip();
    }
  });
}

bool parse_clock(std::string_view input, PacketView& out) {
  std::uint32_t id = 0;
  std::uint64_t timestamp = 0;
  const bool good = for_each_field(input, [&](pbf_reader& message) {
    switch (message.tag_and_type()) {
      case varint(ClockField::kId):
        id = message.get_uint32();
        break;
      case varint(ClockField::kTimestamp):
        timestamp = message.get_uint64();
        break;
      default:
        message.skip();
    }
  });
  if (id == ClockId::kIncremental) out.clock_start = timestamp;
  return good;
}

bool parse_snapshot(std::string_view input, PacketView& out) {
  bool good = true;
  return for_each_field(input,
                        [&](pbf_reader& message) {
                          if (message.tag_and_type() == bytes(SnapshotField::kClocks)) {
                            good = parse_clock(take_view(message), out) && good;
                          } else {
                            message.skip();
                          }
                        }) &&
         good;
}

bool parse_annotation(std::string_view input, EventView& out) {
  std::uint64_t name = 0;
  std::uint64_t number = 0;
  std::string_view text;
  const bool good = for_each_field(input, [&](pbf_reader& message) {
    switch (message.tag_and_type()) {
      case varint(AnnotationField::kNameIid):
        name = message.get_uint64();
        break;
      case varint(AnnotationField::kUint):
        number = message.get_uint64();
        break;
      case bytes(AnnotationField::kString):
        text = take_view(message);
        break;
      default:
        message.skip();
    }
  });
  if (name == AnnotationName::kValue) out.value = number;
  if (name == AnnotationName::kIndex) out.index = number;
  if (name == AnnotationName::kText) out.text = text;
  return good;
}

bool parse_process(std::string_view input, ProcessView& out) {
  return for_each_field(input, [&](pbf_reader& message) {
    switch (message.tag_and_type()) {
      case varint(LatidoProcessField::kIndex):
        out.index = message.get_uint64();
        break;
      case varint(LatidoProcessField::kPid):
        out.process.pid = message.get_int32();
        break;
      case varint(LatidoProcessField::kParentPid):
        out.process.parent_pid = message.get_int32();
        break;
      case varint(LatidoProcessField::kStartNs):
        out.process.start_ns = message.get_int64();
        break;
      case varint(LatidoProcessField::kEndNs):
        out.process.end_ns = message.get_int64();
        break;
      case bytes(LatidoProcessField::kCommand):
        out.process.command = take_view(message);
        break;
      case varint(LatidoProcessField::kRole):
        out.process.role =
            message.get_uint32() == 1 ? model::ProcessRole::kWorker : model::ProcessRole::kOther;
        break;
      case varint(LatidoProcessField::kRank):
        out.process.rank = message.get_int32();
        break;
      default:
        message.skip();
    }
  });
}

bool parse_track(std::string_view input, TrackView& out) {
  return for_each_field(input, [&](pbf_reader& message) {
    switch (message.tag_and_type()) {
      case varint(LatidoTrackField::kIndex):
        out.index = message.get_uint64();
        break;
      case varint(LatidoTrackField::kProcess):
        out.track.process = static_cast<model::ProcessId>(message.get_uint32() - 1U);
        break;
      case varint(LatidoTrackField::kTid):
        out.track.tid = message.get_int32();
        break;
      case bytes(LatidoTrackField::kName):
        out.track.name = take_view(message);
        break;
      default:
        message.skip();
    }
  });
}

bool parse_site(std::string_view input, SiteView& out) {
  return for_each_field(input, [&](pbf_reader& message) {
    switch (message.tag_and_type()) {
      case varint(LatidoSiteField::kIndex):
        out.index = message.get_uint64();
        break;
      case bytes(LatidoSiteField::kName):
        out.name = take_view(message);
        break;
      case bytes(LatidoSiteField::kCategory):
        out.category = take_view(message);
        break;
      case bytes(LatidoSiteField::kFile):
        out.file = take_view(message);
        break;
      case varint(LatidoSiteField::kLine):
        out.line = message.get_uint32();
        break;
      default:
        message.skip();
    }
  });
}

bool parse_arg(std::string_view input, ArgView& out) {
  return for_each_field(input, [&](pbf_reader& message) {
    switch (message.tag_and_type()) {
      case varint(LatidoArgField::kSite):
        out.site = message.get_uint64();
        break;
      case varint(LatidoArgField::kNumber):
        out.number = message.get_uint64();
        break;
      case varint(LatidoArgField::kIndex):
        out.index = message.get_uint32();
        break;
      default:
        message.skip();
    }
  });
}

}  // namespace

bool parse_packet(std::string_view input, PacketView& out) {
  bool good = true;
  return for_each_field(input,
                        [&](pbf_reader& message) {
                          switch (message.tag_and_type()) {
                            case varint(PacketField::kSequenceId):
                              out.sequence = message.get_uint32();
                              break;
                            case varint(PacketField::kSequenceFlags):
                              out.flags = message.get_uint32();
                              break;
                            case varint(PacketField::kTimestamp):
                              out.timestamp = message.get_uint64();
                              break;
                            case varint(PacketField::kTimestampClockId):
                              out.clock_id = message.get_uint32();
                              break;
                            case bytes(PacketField::kTrackEvent):
                              out.track_event = take_view(message);
                              out.has_track_event = true;
                              break;
                            case bytes(PacketField::kLatido):
                              out.latido = take_view(message);
                              break;
                            case bytes(PacketField::kCompressedPackets):
                              out.compressed = take_view(message);
                              break;
                            case bytes(PacketField::kDefaults):
                              good = parse_defaults(take_view(message), out) && good;
                              break;
                            case bytes(PacketField::kClockSnapshot):
                              good = parse_snapshot(take_view(message), out) && good;
                              break;
                            default:
                              message.skip();
                          }
                        }) &&
         good;
}

bool parse_event(std::string_view input, EventView& out) {
  bool good = true;
  return for_each_field(input,
                        [&](pbf_reader& message) {
                          switch (message.tag_and_type()) {
                            case varint(EventField::kType):
                              out.type = message.get_uint32();
                              break;
                            case varint(EventField::kNameIid):
                              out.name_iid = message.get_uint64();
                              break;
                            case fixed64(EventField::kDoubleCounterValue):
                              out.counter_bits = message.get_fixed64();
                              break;
                            case bytes(EventField::kDebugAnnotations):
                              good = parse_annotation(take_view(message), out) && good;
                              break;
                            default:
                              message.skip();
                          }
                        }) &&
         good;
}

bool parse_latido(std::string_view input, LatidoView& out) {
  bool good = true;
  return for_each_field(input,
                        [&](pbf_reader& message) {
                          switch (message.tag_and_type()) {
                            case varint(LatidoField::kVersion):
                              out.version = message.get_uint64();
                              break;
                            case bytes(LatidoField::kProcess):
                              good =
                                  parse_process(take_view(message), out.process.emplace()) && good;
                              break;
                            case bytes(LatidoField::kTrack):
                              good = parse_track(take_view(message), out.track.emplace()) && good;
                              break;
                            case bytes(LatidoField::kSite):
                              good = parse_site(take_view(message), out.site.emplace()) && good;
                              break;
                            case bytes(LatidoField::kArg):
                              good = parse_arg(take_view(message), out.arg.emplace()) && good;
                              break;
                            case varint(LatidoField::kContinuedNs):
                              out.continued_ns = message.get_int64();
                              break;
                            case varint(LatidoField::kPaused):
                              out.paused = message.get_bool();
                              break;
                            case varint(LatidoField::kTextId):
                              out.text_id = message.get_uint64();
                              break;
                            default:
                              message.skip();
                          }
                        }) &&
         good;
}

bool next_packet(std::string_view& input, std::string_view& packet) {
  try {
    pbf_reader message(input.data(), input.size());
    if (!message.next() || message.tag_and_type() != bytes(kTracePacket)) return false;
    packet = take_view(message);
    input = {message.data().data(), message.data().size()};
    return true;
  } catch (const protozero::exception&) {
    return false;
  }
}

}  // namespace latido::formats::perfetto
