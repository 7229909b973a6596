// Packets that describe what events point to: the clock, processes, threads, counters, call sites.
//
// Written by SegmentWriter at the start of a segment and when something new appears. Each function
// appends one or more whole packets. Everything is written twice where Perfetto has no place for
// it: the standard way for viewers, and in Latido's extension for SegmentReader.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "model/ids.h"
#include "model/timeline.h"

namespace latido::formats::perfetto {

// One moment on three clocks, so that a viewer can show the time of day. 0: unknown.
struct ClockAnchor {
  std::int64_t monotonic_ns = 0;
  std::int64_t boottime_ns = 0;
  std::int64_t realtime_ns = 0;
};

// First packet of a segment: format version and clocks, as of `base_ns`.
void append_segment_head(std::string& out, std::int64_t base_ns, const ClockAnchor& anchor);

void append_process(std::string& out, model::ProcessId id, const model::Process& process);

// Starts the sequence of a track anew: its clock, its defaults, and nothing interned.
void append_sequence(std::string& out, model::TrackId id, std::int64_t base_ns);

void append_track(std::string& out, model::TrackId id, const model::Track& track, std::int32_t pid);

void append_site(std::string& out, model::SiteId id, const model::Site& site);

// Interned forms of a site on one sequence. `with_category`: the sequence does not know it yet.
void append_interned_site(std::string& out, std::uint32_t sequence, model::SiteId id,
                          const model::Site& site, bool with_category);

// The site as the name of an argument.
void append_interned_arg(std::string& out, std::uint32_t sequence, model::SiteId id,
                         const model::Site& site);

void append_counter(std::string& out, std::uint64_t uuid, model::ProcessId process,
                    std::string_view name);

constexpr std::uint32_t category_iid(model::Category category) noexcept {
  return static_cast<std::uint32_t>(category) + 1;
}
constexpr std::uint64_t counter_uuid(std::uint64_t number) noexcept { return 4 * number + 3; }

}  // namespace latido::formats::perfetto
