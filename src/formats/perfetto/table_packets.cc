#include "formats/perfetto/table_packets.h"

#include <protozero/pbf_writer.hpp>

#include "base/utf8.h"
#include "formats/perfetto/event_code.h"
#include "formats/perfetto/fields.h"

namespace latido::formats::perfetto {
namespace {

using protozero::pbf_writer;

// Small numbers, so that they are short; distinct by kind.
std::uint64_t process_uuid(model::ProcessId id) { return 4ULL * model::index_of(id) + 1; }
std::uint64_t track_uuid(model::TrackId id) { return 4ULL * model::index_of(id) + 2; }

void add_clock(pbf_writer& snapshot, std::uint32_t id, std::int64_t at_ns, bool incremental) {
  pbf_writer clock(snapshot, SnapshotField::kClocks);
  clock.add_uint32(ClockField::kId, id);
  clock.add_uint64(ClockField::kTimestamp, static_cast<std::uint64_t>(at_ns));
  if (incremental) clock.add_bool(ClockField::kIsIncremental, true);
}

void add_annotation_name(pbf_writer& interned, std::uint64_t iid, std::string_view name) {
  pbf_writer entry(interned, InternedField::kAnnotationNames);
  entry.add_uint64(InternedEntry::kIid, iid);
  entry.add_string(InternedEntry::kText, name.data(), name.size());
}

void add_text(pbf_writer& message, std::uint32_t field, std::string_view text) {
  message.add_string(field, to_valid_utf8(text));
}

void add_process_descriptor(pbf_writer& packet, model::ProcessId id,
                            const model::Process& process) {
  constexpr std::size_t kNameColumns = 80;
  pbf_writer track(packet, PacketField::kTrackDescriptor);
  track.add_uint64(TrackField::kUuid, process_uuid(id));
  pbf_writer descriptor(track, TrackField::kProcess);
  const std::string command = to_valid_utf8(process.command);
  descriptor.add_int32(ProcessField::kPid, process.pid);
  descriptor.add_string(ProcessField::kCommandLine, command);
  descriptor.add_string(ProcessField::kName, utf8_truncate(command, kNameColumns));
  descriptor.add_int64(ProcessField::kStartNs, process.start_ns);
  if (process.rank) {
    descriptor.add_string(ProcessField::kLabels, "rank " + std::to_string(*process.rank));
  }
  if (process.role == model::ProcessRole::kWorker) {
    descriptor.add_string(ProcessField::kLabels, "data loader worker");
  }
}

void add_latido_process(pbf_writer& latido, model::ProcessId id, const model::Process& process) {
  pbf_writer entry(latido, LatidoField::kProcess);
  entry.add_uint32(LatidoProcessField::kIndex, static_cast<std::uint32_t>(id));
  entry.add_int32(LatidoProcessField::kPid, process.pid);
  entry.add_int32(LatidoProcessField::kParentPid, process.parent_pid);
  entry.add_int64(LatidoProcessField::kStartNs, process.start_ns);
  entry.add_int64(LatidoProcessField::kEndNs, process.end_ns);
  add_text(entry, LatidoProcessField::kCommand, process.command);
  entry.add_uint32(LatidoProcessField::kRole, static_cast<std::uint32_t>(process.role));
  if (process.rank) entry.add_int32(LatidoProcessField::kRank, *process.rank);
}

void add_thread_descriptor(pbf_writer& packet, model::TrackId id, const model::Track& track,
                           std::int32_t pid) {
  pbf_writer descriptor(packet, PacketField::kTrackDescriptor);
  descriptor.add_uint64(TrackField::kUuid, track_uuid(id));
  if (track.process != model::kHost) {
    descriptor.add_uint64(TrackField::kParentUuid, process_uuid(track.process));
  }
  pbf_writer thread(descriptor, TrackField::kThread);
  thread.add_int32(ThreadField::kPid, pid);
  thread.add_int32(ThreadField::kTid, track.tid);
  add_text(thread, ThreadField::kName, track.name);
}

void add_latido_track(pbf_writer& packet, model::TrackId id, const model::Track& track) {
  pbf_writer latido(packet, PacketField::kLatido);
  pbf_writer entry(latido, LatidoField::kTrack);
  entry.add_uint32(LatidoTrackField::kIndex, static_cast<std::uint32_t>(id));
  // kHost is the largest index: adding one makes it 0.
  entry.add_uint32(LatidoTrackField::kProcess, static_cast<std::uint32_t>(track.process) + 1U);
  entry.add_int32(LatidoTrackField::kTid, track.tid);
  add_text(entry, LatidoTrackField::kName, track.name);
}

}  // namespace

void append_segment_head(std::string& out, std::int64_t base_ns, const ClockAnchor& anchor) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, kTableSequence);
  packet.add_uint32(PacketField::kSequenceFlags, SequenceFlag::kStateCleared);
  {
    pbf_writer snapshot(packet, PacketField::kClockSnapshot);
    add_clock(snapshot, ClockId::kMonotonic, base_ns, false);
    const std::int64_t since_anchor = base_ns - anchor.monotonic_ns;
    if (anchor.boottime_ns != 0) {
      add_clock(snapshot, ClockId::kBoottime, anchor.boottime_ns + since_anchor, false);
    }
    if (anchor.realtime_ns != 0) {
      add_clock(snapshot, ClockId::kRealtime, anchor.realtime_ns + since_anchor, false);
    }
    snapshot.add_uint32(SnapshotField::kPrimaryClock, ClockId::kMonotonic);
  }
  pbf_writer latido(packet, PacketField::kLatido);
  latido.add_uint64(LatidoField::kVersion, kSegmentVersion);
}

void append_process(std::string& out, model::ProcessId id, const model::Process& process) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, kTableSequence);
  add_process_descriptor(packet, id, process);
  pbf_writer latido(packet, PacketField::kLatido);
  add_latido_process(latido, id, process);
}

void append_sequence(std::string& out, model::TrackId id, std::int64_t base_ns) {
  pbf_writer trace(out);
  {
    pbf_writer packet(trace, kTracePacket);
    packet.add_uint32(PacketField::kSequenceId, sequence_id(id));
    packet.add_uint32(PacketField::kSequenceFlags,
                      SequenceFlag::kStateCleared | SequenceFlag::kNeedsState);
    {
      pbf_writer defaults(packet, PacketField::kDefaults);
      defaults.add_uint32(DefaultsField::kTimestampClockId, ClockId::kIncremental);
      pbf_writer event(defaults, DefaultsField::kTrackEvent);
      event.add_uint64(EventField::kTrackUuid, track_uuid(id));
    }
    pbf_writer interned(packet, PacketField::kInternedData);
    add_annotation_name(interned, AnnotationName::kValue, "value");
    add_annotation_name(interned, AnnotationName::kIndex, "index");
    add_annotation_name(interned, AnnotationName::kText, "text");
    add_annotation_name(interned, AnnotationName::kContinued, "continued");
  }
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, sequence_id(id));
  packet.add_uint32(PacketField::kSequenceFlags, SequenceFlag::kNeedsState);
  pbf_writer snapshot(packet, PacketField::kClockSnapshot);
  add_clock(snapshot, ClockId::kMonotonic, base_ns, false);
  add_clock(snapshot, ClockId::kIncremental, base_ns, true);
  snapshot.add_uint32(SnapshotField::kPrimaryClock, ClockId::kMonotonic);
}

void append_track(std::string& out, model::TrackId id, const model::Track& track,
                  std::int32_t pid) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, sequence_id(id));
  add_thread_descriptor(packet, id, track, pid);
  add_latido_track(packet, id, track);
}

void append_site(std::string& out, model::SiteId id, const model::Site& site) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, kTableSequence);
  pbf_writer latido(packet, PacketField::kLatido);
  pbf_writer entry(latido, LatidoField::kSite);
  entry.add_uint32(LatidoSiteField::kIndex, static_cast<std::uint32_t>(id));
  add_text(entry, LatidoSiteField::kName, site.name);
  const std::string_view category = model::to_text(site.category);
  entry.add_string(LatidoSiteField::kCategory, category.data(), category.size());
  add_text(entry, LatidoSiteField::kFile, site.file);
  entry.add_uint32(LatidoSiteField::kLine, site.line);
}

void append_interned_site(std::string& out, std::uint32_t sequence, model::SiteId id,
                          const model::Site& site, bool with_category) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, sequence);
  packet.add_uint32(PacketField::kSequenceFlags, SequenceFlag::kNeedsState);
  pbf_writer interned(packet, PacketField::kInternedData);
  const std::string name = to_valid_utf8(site.name);
  if (with_category) {
    const std::string_view category = model::to_text(site.category);
    pbf_writer entry(interned, InternedField::kCategories);
    entry.add_uint64(InternedEntry::kIid, category_iid(site.category));
    entry.add_string(InternedEntry::kText, category.data(), category.size());
  }
  {
    pbf_writer entry(interned, InternedField::kNames);
    entry.add_uint64(InternedEntry::kIid, name_iid(id));
    entry.add_string(InternedEntry::kText, name);
  }
  if (site.file.empty()) return;
  pbf_writer entry(interned, InternedField::kSourceLocations);
  entry.add_uint64(InternedEntry::kIid, name_iid(id));
  add_text(entry, InternedEntry::kText, site.file);
  entry.add_uint32(InternedEntry::kLine, site.line);
}

void append_interned_arg(std::string& out, std::uint32_t sequence, model::SiteId id,
                         const model::Site& site) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, sequence);
  packet.add_uint32(PacketField::kSequenceFlags, SequenceFlag::kNeedsState);
  pbf_writer interned(packet, PacketField::kInternedData);
  add_annotation_name(interned, arg_name_iid(id), to_valid_utf8(site.name));
}

void append_counter(std::string& out, std::uint64_t uuid, model::ProcessId process,
                    std::string_view name) {
  pbf_writer trace(out);
  pbf_writer packet(trace, kTracePacket);
  packet.add_uint32(PacketField::kSequenceId, kTableSequence);
  pbf_writer track(packet, PacketField::kTrackDescriptor);
  track.add_uint64(TrackField::kUuid, uuid);
  add_text(track, TrackField::kName, name);
  if (process != model::kHost) track.add_uint64(TrackField::kParentUuid, process_uuid(process));
  track.add_message(TrackField::kCounter, std::string());  // its presence makes the track a counter
}

}  // namespace latido::formats::perfetto
