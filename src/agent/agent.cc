#include "agent/agent.h"

#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>

#include "agent/process_facts.h"
#include "agent/recording_cost.h"
#include "agent/ring_budget.h"
#include "base/clock.h"
#include "telemetry/process_tree.h"

namespace latido::agent {
namespace {

// Chunks that stay in memory for a process that records at full speed (2 MiB), and for all together:
// with many processes each keeps fewer, so that what is idle does not grow with their number.
constexpr std::size_t kWarmChunks = 32;
constexpr std::size_t kWarmChunksOfRun = 1024;

// A drain brings few more events than this, so that a flood does not become one of memory here.
constexpr std::size_t kBatchEvents = 100'000;

bool has_ended(const UniqueFd& pidfd) {
  if (!pidfd) return false;
  pollfd ended{.fd = pidfd.get(), .events = POLLIN, .revents = 0};
  return ::poll(&ended, 1, 0) == 1;
}

}  // namespace

Result<std::unique_ptr<Agent>> Agent::start(const std::string& socket_path) {
  auto listener = Listener::bind(socket_path);
  if (!listener) return std::move(listener).error();
  return std::unique_ptr<Agent>(new Agent(std::move(listener).value()));
}

void Agent::watch(pid_t root) {
  tree_ = std::make_unique<telemetry::ProcessTree>(root);
  describe_process(root);
}

// The process of `pid`, with what can be read about it now; it may be gone in a moment.
model::ProcessId Agent::describe_process(pid_t pid) {
  const ProcessFacts facts = read_process_facts(pid);
  const model::ProcessId id =
      tables_.process(pid, facts.start_ticks, facts.parent_pid, facts.start_ns);
  model::Process& process = tables_.process(id);
  if (!facts.command.empty()) process.command = facts.command;
  if (facts.rank) process.rank = facts.rank;
  if (alive_.insert_or_assign(pid, Alive{.id = id}).second) {
    // A process that is gone by now has no samples; its events say what it did.
    [[maybe_unused]] const Status added = process_source_.add(pid, id);
  }
  return id;
}

void Agent::accept_rings() {
  while (chunks_left_ >= 0) {
    auto ring = listener_.accept();
    if (!ring) return;
    if (!ring->memfd) {
      ++counts_.refused_rings;
      continue;
    }
    auto mapping = RingMapping::map(std::move(ring->memfd));
    if (!mapping) {
      ++counts_.refused_rings;
      continue;
    }
    const pid_t pid = ring->pid != 0 ? ring->pid : static_cast<pid_t>(ring->hello.pid);
    if (ring->pid != 0) replace_image(pid);
    const model::ProcessId process = describe_process(pid);
    recordings_.push_back(std::make_unique<Recording>(
        Recording{.pid = pid,
                  .ended = false,
                  .over = false,
                  .replaced = false,
                  .alive = UniqueFd(static_cast<int>(::syscall(SYS_pidfd_open, pid, 0))),
                  .ring = std::move(mapping).value(),
                  .decoder = RingDecoder(process, tables_),
                  .records = 0,
                  .function_records = 0}));
    share_memory();
  }
}

// A process that hands over a second ring has become another program: nothing more comes from the first.
void Agent::replace_image(pid_t pid) {
  for (const auto& recording : recordings_) {
    if (recording->pid == pid) recording->replaced = true;
  }
}

// Tells each process how many chunks it may use. What is taken away is counted as long as it is in use,
// and only what is left over is given to others.
void Agent::share_memory() {
  const std::uint32_t fair = fair_chunks(recordings_.size());
  chunks_left_ = chunks_of_run(recordings_.size());
  for (const auto& recording : recordings_) {
    RingMapping& ring = recording->ring;
    ring.allow(std::min(ring.allowed(), fair));
    chunks_left_ -= ring.allowed() + ring.held_beyond_allowed();
  }
  for (const auto& recording : recordings_) {
    const std::int64_t more =
        std::min<std::int64_t>(fair - recording->ring.allowed(), chunks_left_);
    if (more <= 0) continue;
    recording->ring.allow(recording->ring.allowed() + static_cast<std::uint32_t>(more));
    chunks_left_ -= more;
  }
}

// After a drain, in which memory came back. Where that is not enough, the newest process goes on without
// being recorded.
void Agent::make_room() {
  share_memory();
  if (chunks_left_ >= 0 || recordings_.empty()) return;
  recordings_.back()->ring.stop_recording();
  ++counts_.refused_rings;
  retire(recordings_.size() - 1);
  share_memory();
}

void Agent::retire(std::size_t recording) {
  RingMapping& ring = recordings_[recording]->ring;
  counts_.dropped += ring.dropped();
  counts_.other_sites += ring.other_sites();
  ring.release_all();
  recordings_.erase(recordings_.begin() + static_cast<std::ptrdiff_t>(recording));
}

std::uint64_t Agent::drain(Batch& out) {
  accept_rings();
  ticks_.add(read_anchor(native_clock()));
  nanoseconds_.add(read_anchor(capture::ClockKind::kMonotonicNs));
  std::uint64_t records = 0;
  while (next_recording_ < recordings_.size()) {
    Recording& recording = *recordings_[next_recording_];
    // Asked before draining, so that what it wrote last is taken before it is forgotten.
    if (!recording.ring.behind()) {
      recording.ended = has_ended(recording.alive);
      recording.over = recording.ended || recording.replaced;
    }
    records += drain(recording, out);
    if (!recording.ring.behind()) finish_round(recording);
    if (out.events.size() >= kBatchEvents) break;
  }
  behind_ = next_recording_ < recordings_.size();
  if (behind_) return records;
  next_recording_ = 0;
  if (chunks_left_ < 0) make_room();
  return records;
}

// The ring of next_recording_ has been read as far as it was written.
void Agent::finish_round(const Recording& recording) {
  if (!recording.over) {
    ++next_recording_;
    return;
  }
  if (recording.ended) end_process(recording.decoder.process(), monotonic_now_ns());
  retire(next_recording_);
}

std::uint64_t Agent::drain(Recording& recording, Batch& out) {
  records_.clear();
  const std::size_t events_before = out.events.size();
  const DrainCounts drained = recording.ring.drain(records_, kBatchEvents);
  const bool in_ns = recording.ring.clock() == capture::ClockKind::kMonotonicNs;
  counts_.records += drained.records;
  counts_.malformed += drained.malformed +
                       recording.decoder.decode(records_, in_ns ? nanoseconds_ : ticks_, out.events,
                                                [&recording] { return recording.ring.sites(); });
  recording.records += drained.records;
  const std::vector<model::Site>& sites = tables_.tables().sites;
  recording.function_records += static_cast<std::uint64_t>(std::count_if(
      out.events.begin() + static_cast<std::ptrdiff_t>(events_before), out.events.end(),
      [&sites](const model::Event& event) {
        return sites[model::index_of(event.site)].category == model::Category::kFunction;
      }));
  for (const model::TrackId track : recording.decoder.take_new_tracks()) {
    const std::int32_t tid = tables_.tables().tracks[model::index_of(track)].tid;
    tables_.name_track(track, read_thread_name(recording.pid, tid));
  }
  return drained.records;
}

void Agent::end_process(model::ProcessId id, std::int64_t now_ns) {
  model::Process& process = tables_.process(id);
  if (process.end_ns < 0) process.end_ns = now_ns;
  process_source_.remove(process.pid);
  alive_.erase(process.pid);
}

model::Reduction Agent::steer(std::int64_t now_ns) {
  if (!detail_) return model::Reduction::kNone;
  double dearest_ns = 0;
  for (const auto& recording : recordings_) {
    dearest_ns =
        std::max(dearest_ns, cost_of_records_ns(recording->records, recording->function_records));
    recording->records = recording->function_records = 0;
  }
  detail_->update(now_ns, dearest_ns, process_cpu_now_ns());
  // Each time, for rings that have come since.
  const auto reduction = static_cast<capture::Reduction>(detail_->reduction());
  for (const auto& recording : recordings_) recording->ring.steer(reduction, detail_->beat());
  return detail_->reduction();
}

// Processes that record nothing are seen here only.
void Agent::follow_tree(std::int64_t now_ns) {
  if (tree_ == nullptr) return;
  const auto entries = tree_->scan();
  if (!entries) return;  // /proc cannot be read just now: what is known stays
  std::map<pid_t, Alive> gone = alive_;
  for (const telemetry::ProcessEntry& entry : entries.value()) {
    gone.erase(entry.pid);
    const auto known = alive_.find(entry.pid);
    if (known != alive_.end() && known->second.exec_marker == entry.exec_marker) continue;
    describe_process(entry.pid);
    alive_[entry.pid].exec_marker = entry.exec_marker;
  }
  for (const auto& [pid, alive] : gone) {
    const bool recording = std::ranges::any_of(
        recordings_, [id = alive.id](const auto& r) { return r->decoder.process() == id; });
    if (!recording) end_process(alive.id, now_ns);
  }
}

void Agent::sample(std::int64_t now_ns, Batch& out) {
  follow_tree(now_ns);
  host_.sample(now_ns, series_, out.samples);
  process_source_.sample(now_ns, series_, out.samples);
  if (recordings_.empty()) return;
  share_memory();
  const std::size_t warm = std::min(kWarmChunks, kWarmChunksOfRun / recordings_.size());
  for (const auto& recording : recordings_) {
    recording->ring.release_idle(static_cast<std::uint32_t>(warm));
  }
}

void Agent::sample_memory(std::int64_t now_ns, Batch& out) {
  std::vector<std::pair<pid_t, model::ProcessId>> recording;
  recording.reserve(recordings_.size());
  for (const auto& each : recordings_) {
    recording.emplace_back(each->pid, each->decoder.process());
  }
  resident_source_.sample(recording, now_ns, series_, out.samples);
}

std::vector<std::pair<pid_t, model::ProcessId>> Agent::live_processes() const {
  std::vector<std::pair<pid_t, model::ProcessId>> live;
  live.reserve(alive_.size());
  for (const auto& [pid, alive] : alive_) live.emplace_back(pid, alive.id);
  return live;
}

AgentCounts Agent::counts() const {
  AgentCounts counts = counts_;
  for (const auto& recording : recordings_) {
    counts.dropped += recording->ring.dropped();
    counts.other_sites += recording->ring.other_sites();
  }
  return counts;
}

}  // namespace latido::agent
