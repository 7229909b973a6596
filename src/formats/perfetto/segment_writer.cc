#include "formats/perfetto/segment_writer.h"

#include <algorithm>
#include <array>

namespace latido::formats::perfetto {
namespace {

// Kept free for the ends of open zones and one more batch of descriptions, in bytes before
// compression.
constexpr std::size_t kReserveBytes = 64U << 10U;
constexpr std::size_t kPausedEndBytes = 64;

bool valid(const model::Event& event, const model::Tables& tables) noexcept {
  if (model::index_of(event.site) >= tables.sites.size()) return false;
  if (model::index_of(event.track) >= tables.tracks.size()) return false;
  return event.kind != model::EventKind::kText || event.payload < tables.texts.size();
}

// Appends Trace.packet { compressed_packets: `body` }.
void append_compressed(std::vector<std::byte>& out, std::span<const std::byte> body) {
  constexpr std::uint32_t kBytes = 2;
  std::array<char, 16> inner{};
  char* end = put_varint(inner.data(), PacketField::kCompressedPackets << 3U | kBytes);
  end = put_varint(end, body.size());
  const auto inner_size = static_cast<std::size_t>(end - inner.data());
  std::array<char, 16> outer{};
  end = put_varint(outer.data(), kTracePacket << 3U | kBytes);
  end = put_varint(end, inner_size + body.size());
  const auto head =
      std::as_bytes(std::span(outer.data(), static_cast<std::size_t>(end - outer.data())));
  const auto middle = std::as_bytes(std::span(inner.data(), inner_size));
  out.insert(out.end(), head.begin(), head.end());
  out.insert(out.end(), middle.begin(), middle.end());
  out.insert(out.end(), body.begin(), body.end());
}

}  // namespace

SegmentWriter::SegmentWriter(const Options& options)
    : options_(options), deflater_(options.deflate_level) {
  raw_.reserve(options_.block_bytes + kReserveBytes);
}

std::size_t SegmentWriter::append(std::span<const model::Event> events,
                                  const model::Tables& tables) {
  if (events.empty() || segment_full()) return 0;
  if (!segment_begun_) {
    begin_segment(events, tables);
  } else {
    write_processes(tables);
    for (TrackSequence& track : tracks_) {
      if (track.started()) track.refresh(raw_, tables);
    }
  }
  for (std::size_t i = 0; i < events.size(); ++i) {
    if (segment_full()) return i;
    if (!valid(events[i], tables)) {
      ++malformed_;
      continue;
    }
    write(events[i], tables);
    seal_full_block();
  }
  return events.size();
}

bool SegmentWriter::segment_full() const noexcept {
  const std::size_t reserve = kReserveBytes + open_zones_ * kPausedEndBytes;
  return segment_begun_ && sealed_bytes_ + raw_.size() + reserve >= options_.segment_bytes;
}

std::vector<std::byte> SegmentWriter::take_block() {
  if (!raw_.empty()) seal_block();
  return std::exchange(out_, {});
}

std::vector<std::byte> SegmentWriter::finish_segment() {
  for (TrackSequence& track : tracks_) {
    if (track.started()) track.finish(raw_);
    seal_full_block();
  }
  segment_begun_ = false;
  return take_block();
}

void SegmentWriter::begin_segment(std::span<const model::Event> events,
                                  const model::Tables& tables) {
  const auto first = std::ranges::min_element(events, {}, &model::Event::ts_ns);
  // Viewers refuse clock snapshots that go back in time.
  base_ns_ = std::max(base_ns_, first->ts_ns);
  segment_begun_ = true;
  sealed_bytes_ = 0;
  range_ = {};
  begin_codes_.clear();
  processes_.clear();
  counters_written_.clear();
  append_segment_head(raw_, base_ns_, options_.anchor);
  write_processes(tables);
  for (std::size_t i = 0; i < tracks_.size(); ++i) {
    if (!tracks_[i].open().empty()) sequence_of(static_cast<model::TrackId>(i), tables);
    seal_full_block();
  }
}

void SegmentWriter::write_processes(const model::Tables& tables) {
  for (std::size_t i = 0; i < tables.processes.size(); ++i) {
    const model::Process& process = tables.processes[i];
    if (i == processes_.size()) {
      processes_.push_back(process);
    } else if (processes_[i] == process) {
      continue;
    } else {
      processes_[i] = process;
    }
    append_process(raw_, static_cast<model::ProcessId>(i), process);
    seal_full_block();
  }
}

TrackSequence& SegmentWriter::sequence_of(model::TrackId id, const model::Tables& tables) {
  const std::size_t index = model::index_of(id);
  while (tracks_.size() <= index) tracks_.emplace_back(static_cast<model::TrackId>(tracks_.size()));
  TrackSequence& track = tracks_[index];
  if (!track.started()) {
    for (const auto& zone : track.open()) define_site(zone.site, tables);
    track.start(raw_, tables, base_ns_);
  }
  return track;
}

void SegmentWriter::define_site(model::SiteId id, const model::Tables& tables) {
  const std::size_t index = model::index_of(id);
  if (index >= begin_codes_.size()) begin_codes_.resize(tables.sites.size());
  if (begin_codes_[index].size != 0) return;
  const model::Site& site = tables.sites[index];
  begin_codes_[index] = begin_code(id, category_iid(site.category), !site.file.empty());
  append_site(raw_, id, site);
}

void SegmentWriter::write(const model::Event& event, const model::Tables& tables) {
  define_site(event.site, tables);
  TrackSequence& track = sequence_of(event.track, tables);
  range_.min_ns = std::min(range_.min_ns, event.ts_ns);
  range_.max_ns = std::max(range_.max_ns, event.ts_ns);
  ++range_.events;
  switch (event.kind) {
    case model::EventKind::kBegin:
    case model::EventKind::kEnd:
      open_zones_ -= track.open().size();
      track.write_zone(raw_, event, tables, begin_codes_[model::index_of(event.site)]);
      open_zones_ += track.open().size();
      break;
    case model::EventKind::kArg:
      track.write_arg(raw_, event, tables);
      break;
    case model::EventKind::kValue:
      track.write_point(raw_, event, tables, counter_of(event, tables));
      break;
    case model::EventKind::kInstant:
    case model::EventKind::kText:
      track.write_point(raw_, event, tables, 0);
      break;
  }
}

std::uint64_t SegmentWriter::counter_of(const model::Event& event, const model::Tables& tables) {
  const model::ProcessId process = tables.tracks[model::index_of(event.track)].process;
  const std::string& name = tables.sites[model::index_of(event.site)].name;
  const auto number = counters_.try_emplace({process, name}, counters_.size()).first->second;
  if (number >= counters_written_.size()) counters_written_.resize(counters_.size());
  if (!counters_written_[number]) {
    counters_written_[number] = true;
    append_counter(raw_, counter_uuid(number), process, name);
  }
  return counter_uuid(number);
}

void SegmentWriter::seal_full_block() {
  if (raw_.size() >= options_.block_bytes) seal_block();
}

void SegmentWriter::seal_block() {
  sealed_bytes_ += raw_.size();
  append_compressed(out_, deflater_.compress(raw_));
  raw_.clear();
}

}  // namespace latido::formats::perfetto
