#include "formats/perfetto/event_packet.h"

#include <bit>
#include <protozero/pbf_writer.hpp>

#include "base/utf8.h"
#include "formats/perfetto/event_code.h"
#include "formats/perfetto/fields.h"

namespace latido::formats::perfetto {
namespace {

using protozero::pbf_writer;

void add_head(pbf_writer& packet, std::uint32_t sequence, PacketTime time) {
  packet.add_uint32(PacketField::kSequenceId, sequence);
  packet.add_uint32(PacketField::kSequenceFlags, SequenceFlag::kNeedsState);
  packet.add_uint64(PacketField::kTimestamp, time.value);
  if (time.absolute) packet.add_uint32(PacketField::kTimestampClockId, ClockId::kMonotonic);
}

void add_annotation(pbf_writer& event, const Annotation& annotation) {
  pbf_writer entry(event, EventField::kDebugAnnotations);
  entry.add_uint64(AnnotationField::kNameIid, annotation.name_iid);
  entry.add_uint64(AnnotationField::kUint, annotation.number);
}

void add_track_event(pbf_writer& packet, const EventPacket& event) {
  pbf_writer message(packet, PacketField::kTrackEvent);
  message.add_uint32(EventField::kType, event.type);
  if (event.site) {
    message.add_uint32(EventField::kCategoryIids, event.site->category_iid);
    if (event.site->has_location) {
      message.add_uint64(EventField::kSourceLocationIid, name_iid(event.site->site));
    }
    message.add_uint64(EventField::kNameIid, name_iid(event.site->site));
  }
  if (event.counter) {
    message.add_uint64(EventField::kTrackUuid, event.counter->track_uuid);
    message.add_double(EventField::kDoubleCounterValue, std::bit_cast<double>(event.counter->bits));
  }
  for (const Annotation& annotation : event.annotations) add_annotation(message, annotation);
  if (event.text) {
    pbf_writer entry(message, EventField::kDebugAnnotations);
    entry.add_uint64(AnnotationField::kNameIid, AnnotationName::kText);
    entry.add_string(AnnotationField::kString, to_valid_utf8(*event.text));
  }
  if (event.paused || event.continued_ns) {
    pbf_writer entry(message, EventField::kDebugAnnotations);
    entry.add_uint64(AnnotationField::kNameIid, AnnotationName::kContinued);
    entry.add_bool(AnnotationField::kBool, true);
  }
}

}  // namespace

void append_event(std::string& out, const EventPacket& event) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  add_head(packet, event.sequence, event.time);
  add_track_event(packet, event);
  if (!event.text_id && !event.continued_ns && !event.paused) return;
  pbf_writer latido(packet, PacketField::kLatido);
  if (event.text_id) latido.add_uint32(LatidoField::kTextId, *event.text_id);
  if (event.continued_ns) latido.add_int64(LatidoField::kContinuedNs, *event.continued_ns);
  if (event.paused) latido.add_bool(LatidoField::kPaused, true);
}

void append_arg(std::string& out, const ArgPacket& arg) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  add_head(packet, arg.sequence, arg.time);
  pbf_writer latido(packet, PacketField::kLatido);
  pbf_writer entry(latido, LatidoField::kArg);
  entry.add_uint64(LatidoArgField::kSite, name_iid(arg.site));
  entry.add_uint64(LatidoArgField::kNumber, arg.number);
  if (arg.index != 0) entry.add_uint32(LatidoArgField::kIndex, arg.index);
}

}  // namespace latido::formats::perfetto
