#include "formats/perfetto/track_sequence.h"

#include <algorithm>

#include "formats/perfetto/table_packets.h"

namespace latido::formats::perfetto {
namespace {

// A zone with more arguments keeps them all for the reader; a viewer sees the first ones.
constexpr std::size_t kMaxShownArgs = 64;

// Sets bit `at`; false when it was set.
bool set_bit(std::vector<bool>& bits, std::size_t at) {
  if (at >= bits.size()) bits.resize(std::max(at + 1, 2 * bits.size()));
  if (bits[at]) return false;
  bits[at] = true;
  return true;
}

std::int32_t pid_of(const model::Tables& tables, const model::Track& track) {
  const std::size_t process = model::index_of(track.process);
  return process < tables.processes.size() ? tables.processes[process].pid : 0;
}

}  // namespace

void TrackSequence::start(std::string& out, const model::Tables& tables, std::int64_t base_ns) {
  started_ = true;
  clock_ns_ = base_ns;
  names_.clear();
  arg_names_.clear();
  categories_ = 0;
  written_ = tables.tracks[model::index_of(id_)];
  written_pid_ = pid_of(tables, written_);
  append_track(out, id_, written_, written_pid_);
  append_sequence(out, id_, base_ns);
  for (const PendingArg& arg : args_) use_arg_name(out, arg.site, tables);
  for (const OpenZone& zone : open_) {
    const SiteRef site = use_site(out, zone.site, tables);
    EventPacket begin = packet(EventType::kSliceBegin, last_ns_);
    begin.site = site;
    begin.continued_ns = zone.begin_ns;
    append_event(out, begin);
  }
}

void TrackSequence::finish(std::string& out) {
  for (std::size_t i = 0; i < open_.size(); ++i) {
    EventPacket end = packet(EventType::kSliceEnd, last_ns_);
    end.paused = true;
    append_event(out, end);
  }
  started_ = false;
}

void TrackSequence::refresh(std::string& out, const model::Tables& tables) {
  const model::Track& track = tables.tracks[model::index_of(id_)];
  const std::int32_t pid = pid_of(tables, track);
  if (track == written_ && pid == written_pid_) return;
  written_ = track;
  written_pid_ = pid;
  append_track(out, id_, written_, written_pid_);
}

PacketTime TrackSequence::advance(std::int64_t ts_ns) noexcept {
  // Out of order or before the segment's base: said in full, the incremental clock stays.
  if (ts_ns < clock_ns_) return {static_cast<std::uint64_t>(ts_ns), true};
  const auto delta_ns = static_cast<std::uint64_t>(ts_ns) - static_cast<std::uint64_t>(clock_ns_);
  clock_ns_ = ts_ns;
  return {delta_ns, false};
}

EventPacket TrackSequence::packet(std::uint32_t type, std::int64_t ts_ns) noexcept {
  EventPacket event;
  event.sequence = sequence_id(id_);
  event.type = type;
  event.time = advance(ts_ns);
  return event;
}

SiteRef TrackSequence::use_site(std::string& out, model::SiteId id, const model::Tables& tables) {
  const model::Site& site = tables.sites[model::index_of(id)];
  if (set_bit(names_, model::index_of(id))) {
    const std::uint32_t bit = 1U << static_cast<std::uint32_t>(site.category);
    append_interned_site(out, sequence_id(id_), id, site, (categories_ & bit) == 0);
    categories_ |= bit;
  }
  return {id, category_iid(site.category), !site.file.empty()};
}

void TrackSequence::use_arg_name(std::string& out, model::SiteId id, const model::Tables& tables) {
  if (!set_bit(arg_names_, model::index_of(id))) return;
  append_interned_arg(out, sequence_id(id_), id, tables.sites[model::index_of(id)]);
}

void TrackSequence::write_zone(std::string& out, const model::Event& event,
                               const model::Tables& tables, const BeginCode& code) {
  if (event.kind == model::EventKind::kEnd) return write_end(out, event, tables);
  const SiteRef site = use_site(out, event.site, tables);
  open_.push_back({event.site, event.ts_ns});
  last_ns_ = event.ts_ns;
  if (event.ts_ns >= clock_ns_) {
    append_begin(out, sequence_id(id_), code, advance(event.ts_ns).value);
    return;
  }
  EventPacket begin = packet(EventType::kSliceBegin, event.ts_ns);
  begin.site = site;
  append_event(out, begin);
}

void TrackSequence::write_end(std::string& out, const model::Event& event,
                              const model::Tables& tables) {
  const bool expected = !open_.empty() && open_.back().site == event.site;
  const std::size_t depth = open_.size();
  if (!open_.empty()) open_.pop_back();
  last_ns_ = event.ts_ns;
  const bool has_args = !args_.empty() && args_.back().depth == depth;
  if (expected && !has_args && event.ts_ns >= clock_ns_) {
    append_end(out, sequence_id(id_), advance(event.ts_ns).value);
    return;
  }
  std::vector<Annotation> annotations;
  const auto first = std::ranges::find_if(args_, [&](auto& arg) { return arg.depth >= depth; });
  for (auto it = first; it != args_.end(); ++it) {
    annotations.push_back({arg_name_iid(it->site), it->number});
  }
  args_.erase(first, args_.end());
  std::optional<SiteRef> site;
  if (!expected) site = use_site(out, event.site, tables);
  EventPacket end = packet(EventType::kSliceEnd, event.ts_ns);
  end.site = site;
  end.annotations = annotations;
  append_event(out, end);
}

void TrackSequence::write_arg(std::string& out, const model::Event& event,
                              const model::Tables& tables) {
  use_arg_name(out, event.site, tables);
  last_ns_ = event.ts_ns;
  append_arg(out, {sequence_id(id_), advance(event.ts_ns), event.site, event.payload, event.index});
  const std::size_t depth = open_.size();
  const bool enough =
      args_.size() >= kMaxShownArgs && args_[args_.size() - kMaxShownArgs].depth == depth;
  if (depth == 0 || enough) return;
  args_.push_back({depth, event.site, event.payload});
}

void TrackSequence::write_point(std::string& out, const model::Event& event,
                                const model::Tables& tables, std::uint64_t counter_uuid) {
  const bool is_value = event.kind == model::EventKind::kValue;
  std::vector<Annotation> annotations;
  if (event.kind == model::EventKind::kInstant && event.payload != 0) {
    annotations.push_back({AnnotationName::kValue, event.payload});
  }
  if (event.index != 0) annotations.push_back({AnnotationName::kIndex, event.index});
  const SiteRef site = use_site(out, event.site, tables);
  last_ns_ = event.ts_ns;
  EventPacket point = packet(is_value ? EventType::kCounter : EventType::kInstant, event.ts_ns);
  point.site = site;
  point.annotations = annotations;
  if (is_value) point.counter = CounterValue{counter_uuid, event.payload};
  if (event.kind == model::EventKind::kText) {
    point.text = tables.texts[event.payload];
    point.text_id = static_cast<std::uint32_t>(event.payload);
  }
  append_event(out, point);
}

}  // namespace latido::formats::perfetto
