// Agent: collects everything that one node has to say about a run: the rings of its recording
// processes, the process tree, host telemetry.
//
// Owned and called by one thread; never writes files, and waits for nobody but a process that hands
// over its ring (Listener). drain() is cheap and called many times a second; sample() once per
// telemetry period.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "agent/detail_control.h"
#include "agent/listener.h"
#include "agent/ring_decoder.h"
#include "agent/ring_mapping.h"
#include "agent/table_builder.h"
#include "agent/tick_clock.h"
#include "base/result.h"
#include "model/sample.h"
#include "model/timeline.h"
#include "telemetry/host_source.h"
#include "telemetry/process_source.h"
#include "telemetry/process_tree.h"
#include "telemetry/resident_source.h"

namespace latido::agent {

// What one drain or sample brought.
struct Batch {
  std::vector<model::Event> events;
  std::vector<model::Sample> samples;

  bool empty() const noexcept { return events.empty() && samples.empty(); }
  void clear() {
    events.clear();
    samples.clear();
  }
};

struct AgentCounts {
  std::uint64_t records = 0;
  std::uint64_t dropped = 0;
  std::uint64_t other_sites = 0;  // zones of more names than a ring has ids for
  std::uint64_t malformed = 0;
  // Processes that are not recorded: they could not make a ring, it was none of ours, or there was no
  // memory left for it.
  std::uint64_t refused_rings = 0;
};

class Agent {
 public:
  // Listens at `socket_path`. Errors as Listener::bind.
  static Result<std::unique_ptr<Agent>> start(const std::string& socket_path);

  // Without it all detail is recorded, whatever it costs.
  void limit_overhead(const DetailWish& wish) { detail_.emplace(wish); }

  // The process whose tree is watched; called once it exists.
  void watch(pid_t root);

  // Takes new rings and what the processes recorded since the last call, appended to `out`.
  // Returns the number of records, so that the caller can come back sooner when there were many. Stops
  // at a batch that is large enough: then behind() says that there is more, to be taken at once.
  std::uint64_t drain(Batch& out);
  bool behind() const noexcept { return behind_; }

  // Tells the processes how much detail they are to record, from what it has cost them. Several times a
  // second. Returns the reduction in force.
  model::Reduction steer(std::int64_t now_ns);

  // Reads the resident memory of the recording processes, appended to `out`; several times a second.
  void sample_memory(std::int64_t now_ns, Batch& out);

  // Reads the process tree and the host's and processes' resources, appended to `out`.
  void sample(std::int64_t now_ns, Batch& out);

  // Processes of the tree that live, and the recording ones.
  std::vector<std::pair<pid_t, model::ProcessId>> live_processes() const;

  // Looks for processes that have come, gone or become another program. sample() does it too; this is
  // cheap where no process was started since.
  void follow_tree(std::int64_t now_ns);

  // Readable when a process wants to hand over its ring.
  int listener_fd() const noexcept { return listener_.fd(); }

  const model::Tables& tables() const noexcept { return tables_.tables(); }
  const model::SeriesTable& series() const noexcept { return series_; }
  AgentCounts counts() const;
  // What the overhead budget has enforced so far.
  std::vector<model::DetailChange> detail_changes() const {
    return detail_ ? detail_->changes() : std::vector<model::DetailChange>();
  }
  // Series that this machine does not offer, with the reason.
  std::vector<std::string> absent_series() const { return host_.absent(); }

 private:
  struct Recording {
    pid_t pid = 0;
    bool ended = false;     // the process, when its ring was last looked at
    bool over = false;      // nothing more comes: it had ended when its ring was looked at
    bool replaced = false;  // its process has become another program
    UniqueFd alive;  // pidfd: readable when the process has ended; none when it could not be opened
    RingMapping ring;
    RingDecoder decoder;
    std::uint64_t records = 0;  // since steer() asked
    std::uint64_t function_records = 0;
  };

  struct Alive {
    model::ProcessId id{};
    std::uint64_t exec_marker = 0;  // changes when the process becomes another program
  };

  explicit Agent(Listener listener)
      : listener_(std::move(listener)),
        ticks_(TickClock::start(native_clock())),
        nanoseconds_(TickClock::start(capture::ClockKind::kMonotonicNs)) {}
  void accept_rings();
  void finish_round(const Recording& recording);
  void retire(std::size_t recording);
  void share_memory();
  void make_room();
  void replace_image(pid_t pid);
  model::ProcessId describe_process(pid_t pid);
  std::uint64_t drain(Recording& recording, Batch& out);
  void end_process(model::ProcessId process, std::int64_t now_ns);

  Listener listener_;
  TickClock ticks_;        // of all rings that record the machine's counter: it is one clock
  TickClock nanoseconds_;  // of rings that record CLOCK_MONOTONIC itself
  TableBuilder tables_;
  model::SeriesTable series_;
  std::vector<std::unique_ptr<Recording>> recordings_;
  std::optional<DetailControl> detail_;
  telemetry::HostSource host_;
  telemetry::ProcessSource process_source_;
  telemetry::ResidentSource resident_source_;
  std::map<pid_t, Alive> alive_;  // of the tree and of the recording processes
  std::unique_ptr<telemetry::ProcessTree> tree_;
  std::int64_t chunks_left_ = 0;        // of the run's; negative: no further ring is taken for now
  AgentCounts counts_;                  // dropped and other_sites: of recordings that have ended
  std::vector<ThreadRecords> records_;  // reused between drains
  std::size_t next_recording_ = 0;      // where drain() goes on
  bool behind_ = false;
};

}  // namespace latido::agent
