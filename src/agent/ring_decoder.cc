#include "agent/ring_decoder.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace latido::agent {
namespace {

using capture::ExtendedKind;
using capture::RecordKind;

// The parts of "name\0category\0file"; missing ones are empty.
std::array<std::string_view, 3> split_site(std::string_view text) {
  std::array<std::string_view, 3> parts;
  for (std::string_view& part : parts) {
    const std::size_t end = std::min(text.find('\0'), text.size());
    part = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return parts;
}

bool is_site(const RawRecord& record) {
  return capture::head_kind(record.head) == RecordKind::kExtended &&
         record.extended == ExtendedKind::kSite;
}

}  // namespace

void RingDecoder::define_site(const RawRecord& record, std::string_view text) {
  const std::uint32_t id = capture::head_id(record.head);
  if (sites_.size() <= id) sites_.resize(id + 1, -1);
  const auto [name, category, file] = split_site(text);
  sites_[id] = static_cast<std::int64_t>(
      tables_->site(name, category, file, static_cast<std::uint32_t>(record.number)));
}

void RingDecoder::define_sites(std::span<const ThreadRecords> threads) {
  for (const ThreadRecords& records : threads) {
    for (const RawRecord& record : records.records) {
      if (is_site(record)) define_site(record, records.text(record));
    }
  }
}

bool RingDecoder::knows_site_of(const RawRecord& record) const noexcept {
  const std::uint32_t id = capture::head_id(record.head);
  return id < sites_.size() && sites_[id] >= 0;
}

RingDecoder::Thread& RingDecoder::thread(const ThreadRecords& records) {
  const auto it = threads_.find(records.thread);
  if (it != threads_.end()) return it->second;
  const model::TrackId track = tables_->add_track(
      {.process = process_, .tid = static_cast<std::int32_t>(records.tid), .name = {}});
  new_tracks_.push_back(track);
  return threads_.emplace(records.thread, Thread{.track = track, .open = {}}).first->second;
}

std::uint64_t RingDecoder::decode(std::span<const ThreadRecords> threads, const TickClock& clock,
                                  std::vector<model::Event>& out, const SiteSource& more_sites) {
  if (sites_.empty()) {
    sites_.push_back(static_cast<std::int64_t>(tables_->site("(other sites)", "zone", "", 0)));
  }
  // A site may be used by one thread and have been defined by another whose chunk comes later.
  define_sites(threads);
  bool may_ask = static_cast<bool>(more_sites);
  std::uint64_t malformed = 0;
  for (const ThreadRecords& records : threads) {
    Thread& current = thread(records);
    for (const RawRecord& record : records.records) {
      if (is_site(record)) continue;
      if (may_ask && !knows_site_of(record)) {
        define_sites(more_sites());
        may_ask = false;
      }
      const std::int64_t ts_ns =
          std::max(clock.to_ns(clock.unwrap(capture::head_ticks(record.head))), current.last_ns);
      if (append(records, record, ts_ns, current, out)) {
        current.last_ns = ts_ns;
      } else {
        ++malformed;
      }
    }
    if (records.ended) {
      for (; !current.open.empty(); current.open.pop_back()) {
        out.push_back({.ts_ns = current.last_ns,
                       .track = current.track,
                       .site = current.open.back(),
                       .kind = model::EventKind::kEnd});
      }
      threads_.erase(records.thread);
    }
  }
  return malformed;
}

bool RingDecoder::append(const ThreadRecords& records, const RawRecord& record, std::int64_t ts_ns,
                         Thread& thread, std::vector<model::Event>& out) {
  if (!knows_site_of(record)) return false;
  const std::uint32_t id = capture::head_id(record.head);
  model::Event event{.ts_ns = ts_ns,
                     .payload = record.number,
                     .track = thread.track,
                     .site = static_cast<model::SiteId>(sites_[id])};
  switch (capture::head_kind(record.head)) {
    case RecordKind::kBegin:
      event.kind = model::EventKind::kBegin;
      thread.open.push_back(event.site);
      break;
    case RecordKind::kEnd:
      if (thread.open.empty()) return false;
      event.site = thread.open.back();
      thread.open.pop_back();
      event.kind = model::EventKind::kEnd;
      break;
    case RecordKind::kExtended:
      if (!fill_extended(records, record, thread, event)) return false;
      break;
    case RecordKind::kUnwritten:
      return false;
  }
  out.push_back(event);
  return true;
}

bool RingDecoder::fill_extended(const ThreadRecords& records, const RawRecord& record,
                                const Thread& thread, model::Event& event) {
  switch (record.extended) {
    case ExtendedKind::kArg:
      event.kind = model::EventKind::kArg;
      return !thread.open.empty();
    case ExtendedKind::kValue:
      event.kind = model::EventKind::kValue;
      event.index = record.index;
      return true;
    case ExtendedKind::kInstant:
      event.kind = model::EventKind::kInstant;
      return true;
    case ExtendedKind::kText:
      event.kind = model::EventKind::kText;
      event.payload = static_cast<std::uint64_t>(tables_->text(records.text(record)));
      return true;
    case ExtendedKind::kSite:
      return false;  // handled before
  }
  return false;
}

}  // namespace latido::agent
