// A small timeline with every kind of event, for tests of the segment formats.
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "model/timeline.h"

namespace latido::formats::perfetto {

using model::Category;
using model::Event;
using model::EventKind;
using model::ProcessId;
using model::SiteId;
using model::TrackId;

inline model::Tables make_tables() {
  model::Tables tables;
  tables.processes = {
      {.pid = 100, .parent_pid = 1, .start_ns = 5, .command = "python train.py", .rank = 0},
      {.pid = 101,
       .parent_pid = 100,
       .start_ns = 7,
       .end_ns = 900,
       .command = "python train.py",
       .role = model::ProcessRole::kWorker,
       .rank = 0}};
  tables.tracks = {
      {ProcessId{0}, 100, "MainThread"}, {ProcessId{1}, 101, "worker"}, {model::kHost, 3, ""}};
  tables.sites = {{"epoch", Category::kZone, "train.py", 12},
                  {"forward", Category::kForward, "", 0},
                  {"batch", Category::kArg, "", 0},
                  {"loss", Category::kSeries, "train.py", 40},
                  {"hook", Category::kHook, "", 0},
                  {"mark", Category::kMark, "train.py", 41},
                  {"", Category::kZone, "", 7}};
  tables.texts = {"ok", "absent: no torch", "ok"};
  return tables;
}

inline Event zone(EventKind kind, std::int64_t ts_ns, std::uint32_t site, std::uint32_t track = 0) {
  return {.ts_ns = ts_ns, .track = TrackId{track}, .site = SiteId{site}, .kind = kind};
}
inline Event begin(std::int64_t ts_ns, std::uint32_t site, std::uint32_t track = 0) {
  return zone(EventKind::kBegin, ts_ns, site, track);
}
inline Event end(std::int64_t ts_ns, std::uint32_t site, std::uint32_t track = 0) {
  return zone(EventKind::kEnd, ts_ns, site, track);
}
inline Event point(EventKind kind, std::int64_t ts_ns, std::uint32_t site, std::uint64_t payload,
                   std::uint32_t index = 0) {
  return {.ts_ns = ts_ns, .payload = payload, .site = SiteId{site}, .index = index, .kind = kind};
}

// Every kind, nested, with arguments in an order of their own, on several tracks.
inline std::vector<Event> every_kind() {
  return {begin(1'000, 0),
          point(EventKind::kText, 1'001, 4, 1),
          begin(1'100, 1),
          point(EventKind::kArg, 1'101, 2, 64),
          begin(900, 1, 1),
          point(EventKind::kArg, 1'102, 2, 7),
          begin(1'103, 6),
          point(EventKind::kArg, 1'104, 2, ~0ULL),
          end(1'105, 6),
          point(EventKind::kArg, 1'106, 2, 0, 3),
          end(1'107, 1),
          point(EventKind::kValue, 1'108, 3, std::bit_cast<std::uint64_t>(0.25), 17),
          point(EventKind::kValue, 1'109, 3, 0x7FF8'0000'0000'1234ULL),
          point(EventKind::kInstant, 1'110, 5, 0),
          point(EventKind::kInstant, 1'111, 5, 99, 4),
          point(EventKind::kText, 1'112, 4, 0),
          point(EventKind::kText, 1'113, 4, 2),
          end(2'000'000'000'000, 1, 1),
          begin(5, 0, 2),
          end(6, 0, 2),
          end(1'200, 0)};
}

}  // namespace latido::formats::perfetto
