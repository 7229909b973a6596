// The timeline of a run as values: tables that only grow, and a stream of events that index them.
//
// Begin and end are events of their own, so that what is still open when a process dies is visible.
// Within one track events come in time order; between tracks only per batch.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "model/category.h"
#include "model/ids.h"

namespace latido::model {

struct Site {
  std::string name;
  Category category = Category::kZone;
  std::string file;  // empty when unknown
  std::uint32_t line = 0;

  bool operator==(const Site&) const = default;
};

enum class ProcessRole : std::uint8_t { kOther, kWorker };  // kWorker: makes batches for a loader

struct Process {
  std::int32_t pid = 0;  // as the agent sees it
  std::int32_t parent_pid = 0;
  std::int64_t start_ns = 0;  // CLOCK_MONOTONIC
  std::int64_t end_ns = -1;   // -1: was alive at the end of the recording
  std::string command;        // redacted
  ProcessRole role = ProcessRole::kOther;
  std::optional<std::int32_t> rank;

  bool operator==(const Process&) const = default;
};

struct Track {
  ProcessId process{};
  std::int32_t tid = 0;
  std::string name;

  bool operator==(const Track&) const = default;
};

struct Tables {
  std::vector<Site> sites;
  std::vector<Track> tracks;
  std::vector<Process> processes;
  std::vector<std::string> texts;

  bool operator==(const Tables&) const = default;
};

enum class EventKind : std::uint8_t {
  kBegin,
  kEnd,      // of the innermost open begin of the track; the site repeats that of the begin
  kInstant,  // payload: free number
  kValue,    // payload: bits of a double; index: the recorder's step or micro-batch number
  kArg,      // payload: number; belongs to the innermost open zone; site: the argument's name
  kText,     // payload: TextId; site: what it is about
};

struct Event {
  std::int64_t ts_ns = 0;  // CLOCK_MONOTONIC
  std::uint64_t payload = 0;
  TrackId track{};
  SiteId site{};
  std::uint32_t index = 0;
  EventKind kind = EventKind::kInstant;

  double value() const noexcept { return std::bit_cast<double>(payload); }

  bool operator==(const Event&) const = default;
};

}  // namespace latido::model
