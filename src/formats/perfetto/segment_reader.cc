#include "formats/perfetto/segment_reader.h"

#include <optional>
#include <utility>

#include "formats/perfetto/fields.h"

namespace latido::formats::perfetto {
namespace {

constexpr std::size_t kMaxBlockBytes = 1U << 20U;         // Perfetto allows 512 KB
constexpr std::size_t kMaxSegmentBytes = 64U << 20U;      // segments have 16 MiB
constexpr std::uint32_t kMaxSequences = (1U << 17U) + 2;  // tracks and the table sequence
constexpr std::size_t kBatchEvents = 4096;

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::optional<std::uint64_t> time_of(const PacketView& packet, std::uint32_t default_clock,
                                     std::uint64_t& clock_ns) {
  if (!packet.timestamp) return std::nullopt;
  switch (packet.clock_id.value_or(default_clock)) {
    case ClockId::kIncremental:
      clock_ns += *packet.timestamp;  // unsigned: a hostile sum wraps
      return clock_ns;
    case ClockId::kMonotonic:
      return packet.timestamp;
    default:
      return std::nullopt;
  }
}

}  // namespace

SegmentReader::SegmentReader() : inflater_(kMaxBlockBytes) {}

Status SegmentReader::read(std::span<const std::byte> segment, const Sink& sink) {
  sink_ = sink;
  inflated_bytes_ = 0;
  for (Sequence& sequence : sequences_) sequence.valid = false;
  std::string_view bytes = as_text(segment);
  std::string_view packet;
  Status status = ok();
  while (status.has_value() && next_packet(bytes, packet)) {
    PacketView view;
    if (!parse_packet(packet, view)) {
      lose_block();
    } else if (!view.compressed.empty()) {
      status = read_block(view.compressed);
    } else {
      status = read_packet(view);
    }
  }
  if (status.has_value()) counts_.truncated_bytes += bytes.size();
  flush_batch(1);
  return status;
}

Status SegmentReader::read_block(std::string_view compressed) {
  const auto raw = inflater_.decompress(compressed);
  if (!raw.has_value() || raw.value().size() > kMaxSegmentBytes - inflated_bytes_) {
    lose_block();
    return ok();
  }
  inflated_bytes_ += raw.value().size();
  std::string_view bytes = raw.value();
  std::string_view packet;
  while (next_packet(bytes, packet)) {
    PacketView view;
    if (!parse_packet(packet, view)) {
      ++counts_.malformed;
      continue;
    }
    if (Status status = read_packet(view); !status.has_value()) return status;
  }
  if (!bytes.empty()) lose_block();
  return ok();
}

Status SegmentReader::read_packet(const PacketView& packet) {
  LatidoView latido;
  Sequence* const sequence = sequence_of(packet.sequence);
  if (sequence == nullptr || !parse_latido(packet.latido, latido)) {
    ++counts_.malformed;
    return ok();
  }
  if (latido.version.value_or(0) > kSegmentVersion) {
    return Error{ErrorCode::kUnsupported, "recorded by a newer version of latido (segment format " +
                                              std::to_string(*latido.version) +
                                              ", this one reads " +
                                              std::to_string(kSegmentVersion) + ")"};
  }
  if ((packet.flags & SequenceFlag::kStateCleared) != 0) {
    sequence->valid = true;
    if (sequence->has_track) zones_[model::index_of(sequence->track)].restart();
  }
  if (packet.default_clock_id) sequence->default_clock = *packet.default_clock_id;
  if (packet.clock_start) sequence->clock_ns = *packet.clock_start;
  bool good = read_tables(latido, *sequence);
  if (packet.timestamp) good = read_timed(packet, latido, *sequence) && good;
  if (!good) ++counts_.malformed;
  return ok();
}

bool SegmentReader::read_tables(const LatidoView& latido, Sequence& sequence) {
  bool good = true;
  if (latido.process) good = table_reader_.put_process(*latido.process);
  if (latido.site) good = table_reader_.put_site(*latido.site) && good;
  if (latido.track) {
    if (!table_reader_.put_track(*latido.track)) return false;
    sequence.has_track = true;
    sequence.track = static_cast<model::TrackId>(latido.track->index);
    zones_.resize(tables().tracks.size());
  }
  return good;
}

bool SegmentReader::read_timed(const PacketView& packet, const LatidoView& latido,
                               Sequence& sequence) {
  if (!sequence.valid || !sequence.has_track) {
    ++counts_.lost;
    return true;
  }
  const auto ts_ns = time_of(packet, sequence.default_clock, sequence.clock_ns);
  if (!ts_ns) return false;
  model::Event event;
  event.ts_ns = static_cast<std::int64_t>(*ts_ns);
  event.track = sequence.track;
  bool good = true;
  if (latido.arg) {
    const auto site = table_reader_.site(latido.arg->site);
    if (!site) return false;
    counts_.repaired_zones += zones_[model::index_of(event.track)].settle(event, batch_);
    event.kind = model::EventKind::kArg;
    event.site = *site;
    event.payload = latido.arg->number;
    event.index = latido.arg->index;
    batch_.push_back(event);
  } else if (packet.has_track_event) {
    EventView view;
    good = parse_event(packet.track_event, view) && read_event(view, latido, event);
  }
  flush_batch(kBatchEvents);
  return good;
}

bool SegmentReader::read_event(const EventView& view, const LatidoView& latido,
                               model::Event event) {
  OpenZones& zones = zones_[model::index_of(event.track)];
  if (latido.paused) return true;
  if (!latido.continued_ns) counts_.repaired_zones += zones.settle(event, batch_);
  switch (view.type) {
    case EventType::kSliceBegin:
    case EventType::kSliceEnd:
      return read_zone(view, latido, event);
    case EventType::kInstant:
    case EventType::kCounter:
      return read_point(view, latido, event);
    default:
      return false;
  }
}

bool SegmentReader::read_zone(const EventView& view, const LatidoView& latido, model::Event event) {
  OpenZones& zones = zones_[model::index_of(event.track)];
  const auto site = table_reader_.site(view.name_iid);
  if (view.type == EventType::kSliceEnd) {
    if (view.name_iid != 0 && !site) return false;
    event.kind = model::EventKind::kEnd;
    return zones.end(event, site, batch_);
  }
  if (!site) return false;
  event.kind = model::EventKind::kBegin;
  event.site = *site;
  if (latido.continued_ns) return zones.resume(event, *latido.continued_ns, batch_);
  return zones.begin(event, batch_);
}

bool SegmentReader::read_point(const EventView& view, const LatidoView& latido,
                               model::Event event) {
  const auto site = table_reader_.site(view.name_iid);
  if (!site) return false;
  event.site = *site;
  event.index = static_cast<std::uint32_t>(view.index);
  if (view.type == EventType::kCounter) {
    event.kind = model::EventKind::kValue;
    event.payload = view.counter_bits;
  } else if (latido.text_id) {
    if (!table_reader_.put_text(*latido.text_id, view.text)) return false;
    event.kind = model::EventKind::kText;
    event.payload = *latido.text_id;
  } else {
    event.kind = model::EventKind::kInstant;
    event.payload = view.value;
  }
  batch_.push_back(event);
  return true;
}

SegmentReader::Sequence* SegmentReader::sequence_of(std::uint32_t id) {
  if (id >= kMaxSequences) return nullptr;
  if (id >= sequences_.size()) sequences_.resize(id + 1);
  return &sequences_[id];
}

void SegmentReader::lose_block() {
  ++counts_.damaged_blocks;
  for (Sequence& sequence : sequences_) sequence.valid = false;
}

void SegmentReader::flush_batch(std::size_t least) {
  if (batch_.size() < least) return;
  counts_.events += batch_.size();
  sink_(batch_);
  batch_.clear();
}

}  // namespace latido::formats::perfetto
