// Run: what is known of a recording besides its events.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace latido::model {

enum class EndKind : std::uint8_t {
  kRunning,     // still going on, or the recorder was killed
  kExit,        // code
  kSignal,      // signal
  kNotStarted,  // the command was not found or not executable
  kDetached,    // it was watched from outside for a while; how it ended is not known
};

// How the program ended and what it was doing.
struct RunEnd {
  EndKind kind = EndKind::kRunning;
  std::int32_t code = 0;
  std::int32_t signal = 0;
  std::string exception;  // "ValueError: bad batch"; empty when none was seen
  std::string file;       // where it was raised, or where the innermost open zone stands
  std::uint32_t line = 0;
  std::string phase;      // model::Phase text at death; empty outside a step
  std::string open_zone;  // innermost zone that never ended
  std::optional<std::int32_t> rank;

  bool operator==(const RunEnd&) const = default;
};

// The place a run was recorded in. Empty text or 0: unknown.
struct Environment {
  std::string host;
  std::string os;  // "Debian GNU/Linux 12 (bookworm)"
  std::string kernel;
  std::string cpu;          // model name
  std::uint32_t cores = 0;  // usable: affinity mask and cgroup quota applied
  std::uint64_t memory_bytes = 0;
  std::string container;   // "docker", "kubernetes", …
  std::string job;         // "slurm 8812734"
  std::string git_commit;  // hex; what was changed since then is not looked at
  std::string python;      // version of the first interpreter seen
  std::string torch;

  bool operator==(const Environment&) const = default;
};

struct Run {
  std::string id;                    // ULID
  std::string name;                  // script stem + last 4 of the ULID
  std::vector<std::string> command;  // redacted
  std::string folder;                // working directory at the start
  std::int64_t started_wall_ns = 0;  // since 1970, UTC
  std::int64_t start_ns = 0;         // CLOCK_MONOTONIC; every report time is relative to it
  std::int64_t end_ns = 0;           // CLOCK_MONOTONIC
  RunEnd end;
  Environment environment;
  std::string latido_version;

  std::int64_t wall_ns() const noexcept { return end_ns - start_ns; }
  bool operator==(const Run&) const = default;
};

// How much of the detail that was asked for is given up, to stay within the overhead budget. Steps, phases
// and the user's own zones are always recorded.
enum class Reduction : std::uint8_t {
  kNone,
  kAdaptive,  // full recording of functions becomes adaptive; layers and stacks are looked at less often
  kNoRearm,    // elided functions are not looked at again; no layers
  kStepsOnly,  // no functions, no layers
};
std::string_view to_text(
    Reduction reduction) noexcept;  // "none", "adaptive", "no_rearm", "steps_only"
std::optional<Reduction> reduction_from_text(std::string_view text) noexcept;

struct DetailChange {
  std::int64_t ts_ns = 0;  // CLOCK_MONOTONIC; from then on
  Reduction reduction = Reduction::kNone;

  bool operator==(const DetailChange&) const = default;
};

// What happened to the data on its way: shown at the end of every report.
struct Quality {
  std::uint64_t accepted = 0;     // records that reached the timeline
  std::uint64_t dropped = 0;      // zones and values that found no room in the process's ring
  std::uint64_t malformed = 0;    // records that did not make sense and were skipped
  std::uint64_t late = 0;         // records that came after their time range had been analysed
  double overhead_ratio = 0;      // share of the wall time that recording took
  double overhead_low_ratio = 0;  // it lies between these
  double overhead_high_ratio = 0;
  std::string overhead_how = "estimate";     // or "measured"
  double overhead_budget_ratio = 0;          // that was asked for; 0: not known
  std::vector<DetailChange> detail_changes;  // what was given up for it, and when
  std::vector<std::pair<std::string, std::string>>
      hooks;                               // name, "ok" | "absent: why" | "failed: why"
  std::vector<std::string> notes;          // message ids: "one_interpreter_without_extension", …
  std::vector<std::string> absent_series;  // "<metric>: why" for what this machine does not offer

  bool operator==(const Quality&) const = default;
};

}  // namespace latido::model
