// RunFacts: everything measured about a run, as the rules judge it and the reports show it.
//
// Made by RunAnalysis (run_analysis.h) while the run lives and again from its files; both by the same
// code. Times are int64 ns of CLOCK_MONOTONIC; means are over steady steps, because means add up.
#pragma once

#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/layer_facts.h"
#include "model/call_tree.h"
#include "model/ids.h"
#include "model/run.h"
#include "model/step.h"
#include "model/timeline.h"

namespace latido::analysis {

enum class StepSource : std::uint8_t { kNone, kOptimizer, kApi };
std::string_view to_text(StepSource source) noexcept;  // "none", "optimizer", "api"

// Over the steady steps of one rank. Zero counts when there are none.
struct StepStats {
  std::uint64_t count = 0;
  std::int64_t mean_ns = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p95_ns = 0;
  std::int64_t p99_ns = 0;
  // Half-width of the 90 % interval of the mean, by block bootstrap: steps are autocorrelated.
  std::int64_t mean_half_width_ns = 0;
};

// A phase or a part of one. mean_ns is model::kNotMeasured when no hook saw it; then `reason` is the
// message id of why ("no_device", "hook_absent", …).
struct PhaseStats {
  std::int64_t mean_ns = 0;
  std::string reason;
};

struct NamedTime {
  std::string name;
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t calls = 0;
  std::int64_t total_ns = 0;  // inclusive
  std::int64_t self_ns = 0;   // exclusive of other recorded spans
  // Share of a steady step when it happens inside steps, else 0.
  std::int64_t mean_per_step_ns = 0;
};

// A function of the program, from its recorded calls.
struct FunctionTime {
  std::string name;  // qualified: "Trainer.fit"
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t calls = 0;            // recorded; for an elided one a lower bound
  std::int64_t total_ns = 0;          // inclusive; a recursive call counts once
  std::int64_t self_ns = 0;           // exclusive of recorded functions that it called
  std::int64_t mean_per_step_ns = 0;  // self time in steady steps, else 0
  // Of calls whose begin and end were seen, 5 % exact; 0 when there were none.
  std::int64_t p50_ns = 0;
  std::int64_t p95_ns = 0;
  std::int64_t p99_ns = 0;
  // Its calls are so short that most were not recorded: its time is in what called it.
  bool elided = false;
  // From sampled stacks; model::kNotMeasured where the process was not sampled.
  std::int64_t sampled_self_ns = model::kNotMeasured;
  std::int64_t sampled_total_ns = model::kNotMeasured;

  // Samples see every function, recorded calls leave out the elided ones: so samples where there are some.
  std::int64_t own_ns() const noexcept { return sampled_self_ns >= 0 ? sampled_self_ns : self_ns; }
  std::int64_t inclusive_ns() const noexcept {
    return sampled_total_ns >= 0 ? sampled_total_ns : total_ns;
  }
};

// A line of the program, from sampled stacks.
struct LineTime {
  std::string function;  // that the line is in
  std::string file;
  std::uint32_t line = 0;
  std::int64_t self_ns = 0;   // it was executing
  std::int64_t total_ns = 0;  // and what it called; a recursion counts once
  // Its text where somebody asked for it and the file is as it was (session/source_lines.h); else empty.
  std::string source = {};
};

enum class FunctionState : std::uint8_t { kRecorded, kElided, kExcluded };
std::string_view to_text(FunctionState state) noexcept;  // "recorded", "elided", "excluded"

struct ListedFunction {
  std::string name;  // qualified
  std::string file;
  std::uint32_t line = 0;
  std::uint64_t calls = 0;  // recorded ones that ended
  FunctionState state = FunctionState::kRecorded;
};

struct FunctionCounts {
  std::uint64_t recorded = 0;  // functions with a call in the recording
  std::uint64_t elided = 0;    // of them
  std::uint64_t excluded = 0;  // met in any process of the run, and left out by the patterns
  // Recorded in some stretches of time only, as before CPython 3.12: all calls are lower bounds.
  bool in_windows = false;
  bool some_dropped = false;  // records found no room: so are they then
};

// Where the wall time of the run went, as seen from one rank. Adds up to run.wall_ns(): what came before
// the rank's process is start-up, what came after is other.
struct RunParts {
  std::int64_t startup_ns = 0;     // until the first step
  std::int64_t warmup_ns = 0;      // warm-up steps
  std::int64_t steps_ns = 0;       // steady steps
  std::int64_t evaluation_ns = 0;  // outside steps
  std::int64_t checkpoint_ns = 0;  // outside steps
  std::int64_t other_ns = 0;
  std::uint32_t evaluations = 0;
  std::uint32_t checkpoints = 0;

  std::int64_t sum_ns() const noexcept {
    return startup_ns + warmup_ns + steps_ns + evaluation_ns + checkpoint_ns + other_ns;
  }
};

// One process that makes batches.
struct WorkerFacts {
  model::ProcessId process{};
  std::int32_t pid = 0;
  std::int32_t number = -1;   // worker id within its loader
  std::uint64_t batches = 0;  // made in the steady window
  std::int64_t batch_mean_ns = 0;
  std::optional<double> busy_ratio;  // of the steady window spent making batches
  std::optional<double>
      cpu_ratio;  // of the busy time on a CPU: near 1 computes, near 0 waits for I/O
  // Of the busy time ready to run and without a core. Empty: not sampled.
  std::optional<double> core_wait_ratio = {};
  std::int64_t wait_mean_ns = model::kNotMeasured;  // of the training, for a batch of this worker
};

// The training loader, seen from the training thread.
struct LoaderFacts {
  std::string file;  // where the DataLoader was made, empty when unknown
  std::uint32_t line = 0;
  std::uint32_t workers = 0;  // num_workers
  std::uint32_t prefetch_factor = 0;
  std::int64_t dataset_length = -1;  // -1: unknown (iterable)
  std::int64_t batch_size = -1;
  std::uint64_t batches = 0;      // delivered in the steady window
  std::uint64_t queue_empty = 0;  // of them: not ready when the step asked
  std::int64_t made_mean_ns = 0;  // time to make a batch in a worker; with 0 workers: inline
  // Of the whole run, warm-up included.
  std::uint64_t passes = 0;        // over the data, that were begun
  std::uint64_t pass_batches = 0;  // that the last complete pass delivered; 0: none was complete
};

// Host and process resources, means over the steady window (the whole run when there are no steps).
// Empty when not sampled.
struct ResourceFacts {
  double cores = 0;  // usable
  std::optional<double>
      machine_cores;  // of the machine; more than `cores` when the run is confined
  std::optional<double> cpu_busy_cores;       // machine-wide, user + system
  std::optional<double> cpu_iowait_ratio;     // of one core: 1 = a core's worth of waiting
  std::optional<double> cpu_steal_ratio;      // of the machine
  std::optional<double> run_cpu_cores;        // processes of this run
  std::optional<double> main_cpu_cores;       // the training process alone
  std::optional<double> top_core_busy_ratio;  // busiest core
  std::optional<double> major_faults_per_s;
  std::optional<double> swap_in_bytes_per_s;
  std::optional<double> swap_out_bytes_per_s;
  std::optional<double> disk_read_bytes_per_s;
  std::optional<double> disk_write_bytes_per_s;
  std::optional<double> disk_busy_ratio;       // busiest device
  std::optional<double> run_read_bytes_per_s;  // from the device, by the run's processes
  std::optional<double> run_read_chars_per_s;  // by read(), page cache included
  std::optional<double> net_bytes_per_s;
  std::optional<double> psi_cpu_some_ratio;
  std::optional<double> psi_memory_full_ratio;
  std::optional<double> psi_io_full_ratio;
  std::optional<double> cgroup_throttled_ratio;  // of the window
  std::optional<double> memory_limit_bytes;      // cgroup limit or the machine's memory
  std::optional<double> memory_available_bytes;  // at the end
  std::optional<double> run_rss_peak_bytes;
  std::optional<double> involuntary_switches_per_s;
  // Growth of the run's RSS over the steady window by a robust (Theil-Sen) slope, and its 90 % interval.
  std::optional<double> rss_growth_bytes_per_step;
  std::optional<double> rss_growth_low_bytes_per_step;
  std::optional<double> rss_growth_high_bytes_per_step;
};

// A process of the run, for the list of "where the run goes" without steps.
struct ProcessFacts {
  model::ProcessId process{};
  std::int64_t cpu_ns = 0;  // user + system; 0 when not sampled
  std::int64_t rss_peak_bytes = 0;
};

struct SeriesPoint {
  std::uint64_t step = 0;
  double value = 0;
};

// What the program recorded itself under one name (latido.log, latido_value).
struct LoggedSeries {
  std::string name;
  std::uint64_t count = 0;
  std::uint64_t not_finite = 0;  // of them
  double first = 0;
  double last = 0;
  // Of the finite ones; NaN when there were none.
  double min = std::numeric_limits<double>::quiet_NaN();
  double max = std::numeric_limits<double>::quiet_NaN();
};

// Resident memory of a process, from samples.
struct MemoryUse {
  std::uint64_t samples = 0;
  std::int64_t mean_bytes = 0;
  std::int64_t peak_bytes = 0;  // the most that a sample saw
};

struct MemoryFacts {
  std::array<MemoryUse, model::kPhaseCount> phases{};  // in steps
  MemoryUse outside;
};

// What functions, layers and stacks cost, as a share of a step without them; 95 % interval.
struct DetailCost {
  double ratio = 0;
  double low_ratio = 0;
  double high_ratio = 0;
  std::uint64_t turns = 0;  // with and without that were compared
};

struct RankFacts {
  std::optional<std::int32_t> rank;
  model::ProcessId process{};
  StepSource step_source = StepSource::kNone;
  // Warm-up included, in order: all of them, or every step_stride-th of a run too long to keep them.
  // What is counted or averaged elsewhere is always of all.
  std::vector<model::Step> steps;
  std::uint64_t step_count = 0;
  std::uint64_t step_stride = 1;
  std::uint64_t sampled_steps_left_out = 0;  // of steady ones: means are without them
  StepStats stats;
  std::array<PhaseStats, model::kPhaseCount> phases{};
  std::array<std::int64_t, model::kOtherPartCount> other_mean_ns{};
  RunParts parts;
  std::vector<NamedTime> zones;         // user zones, largest self time first
  std::vector<NamedTime> worker_zones;  // the same within the processes that make its batches
  std::vector<FunctionTime> functions;  // largest self time first; empty when not recorded
  std::vector<FunctionTime> worker_functions;
  std::vector<LineTime> lines;  // largest self time first; empty when stacks were not sampled
  std::vector<LineTime> worker_lines;
  FunctionCounts function_counts;  // of both
  // What the sampled times of functions and lines are parts of: the process's time since the run's first
  // step was over. 0: of the whole run.
  std::int64_t sampled_steps_ns = 0;
  LayerFacts layers;  // empty: not recorded
  std::optional<LoaderFacts> loader;
  std::vector<WorkerFacts> workers;
  std::vector<SeriesPoint> loss;          // decimated to at most 1,000 points
  std::vector<LoggedSeries> series;       // at most 64, in the order of their first values
  std::uint64_t series_beyond = 0;        // values of further names
  std::optional<MemoryFacts> memory;      // of its process; empty: not sampled
  std::optional<DetailCost> detail_cost;  // empty: not measured
  std::optional<double> cpu_cores;        // that its process kept busy; empty: not sampled
  // Share of the time in which its main thread was ready to run and had no core; empty: not sampled.
  std::optional<double> core_wait_ratio;
  double samples_per_s = 0;  // steady; 0: unknown
  std::string batch_shape;   // "64×3×224×224 float32"; empty when unknown
  std::int64_t steady_start_ns = 0;
  std::int64_t steady_end_ns = 0;
};

// A resource over time for pictures: at most 600 points, evenly in time.
struct ResourceCurve {
  std::string metric;  // "run.cpu_cores", "run.rss_bytes", "host.disk.read_bytes_per_s", …
  std::vector<std::int64_t> ts_ns;
  std::vector<double> values;
};

struct RunFacts {
  model::Run run;
  std::vector<model::Process> processes;
  std::vector<RankFacts> ranks;  // at least one: the main process
  ResourceFacts resources;
  std::vector<ProcessFacts> process_use;
  std::vector<ResourceCurve> curves;
  model::CallTree calls;  // empty when stacks were not sampled
  // Every function that the run met (function_list.h); filled where a recorded run is read back.
  std::vector<ListedFunction> function_list;
  model::Quality quality;
};

}  // namespace latido::analysis
