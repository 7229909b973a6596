// Thresholds: every number at which a rule fires, in one place, with where it comes from.
//
// Read by the rules; written by cli from the [thresholds] table of the configuration, through
// set_threshold(). All are double, so that one table of names reaches them. Pure values.
#pragma once

#include <span>
#include <string_view>

#include "base/result.h"

namespace latido::diagnosis {

struct Thresholds {
  // How much must be known before anything is said. 20 and 2 are TraceML's confident and first
  // levels.
  double min_steady_steps = 20;
  double provisional_steps = 2;  // enough when a step takes longer than…
  double long_step_ns = 5e9;     // …this: 20 of them would be minutes (own judgement)
  // A program that still runs may yet begin to step: imports and data come first, on one core.
  double no_steps_wall_ns = 30e9;
  // A saving counts when it exceeds this many half-widths of the mean step's 90 % interval. The
  // usual 3·MAD of single steps would hide a wait that comes in bursts, and most waits do.
  double noise_half_widths = 2;
  double uneven_steps_ratio = 10;  // p95 of the p50: more is not called healthy (own)
  double min_gain_ratio =
      0.03;  // of a step or of the run: below it is not worth a person's time (own)

  // TraceML warns at 0.10 of a step and is critical at 0.20; XProf says 0.05 moderate, 0.20 high.
  double input_wait_ratio = 0.10;
  double input_affected_ratio =
      0.50;  // share of steps that wait so; fewer: batches come unevenly (own)
  double worker_busy_ratio = 0.80;  // own: queueing a batch is work too, but not counted as busy
  double worker_io_cpu_ratio =
      0.50;  // below, a worker mostly waits (complement of SageMaker's iowait > 50 %)
  double worker_knee_ratio = 0.03;  // a worker more must gain this much of the step (own)
  double cores_full_ratio = 0.90;   // SageMaker's CPUBottleneck: CPU > 90 %

  double disk_busy_ratio = 0.80;      // common practice for a queueing device
  double disk_io_stall_ratio = 0.20;  // PSI io full: a fifth of the time nothing ran (own)
  double iowait_cores = 0.50;         // half a core's worth of waiting for a disk (own)

  double compute_ratio = 0.80;    // forward + backward + optimizer, of the step (own)
  double compute_step_ns = 50e6;  // a shorter step would leave a GPU waiting for its launches (own)
  double one_core_cores = 1.20;   // a program that keeps less than this busy is on one core (own)
  double one_core_min_cores = 0.70;   // and more than this, else it waits for something
  double one_core_idle_cores = 0.75;  // that others could use
  double one_core_compute_ratio = 0.60;
  double one_core_step_ns = 20e6;  // shorter: its operations are likely too small to share (own)
  double one_core_wall_ns = 5e9;   // without steps: shorter is over before it is optimised (own)

  double memory_min_bytes = 67108864;       // 64 MiB: less growth is a cache that fills (own)
  double memory_growth_ratio = 0.10;        // of the run's peak memory, over the steady steps (own)
  double memory_growth_bytes = 1073741824;  // or 1 GiB (TraceML)
  double memory_min_steps_ns = 30e9;        // steady steps for so long, or so many: before, caches
  double memory_min_steps = 200;            // and workers warm up (own)
  double memory_goes_on_ratio = 0.5;  // of its rate, in the second half of the steady steps (own)
  double memory_horizon_runs = 3;  // or the limit is reached within this many times the run (own)

  double swap_bytes_per_s = 1e6;     // own: below it pages that nobody needs are going out
  double major_faults_per_s = 100;   // own; a fault that waits for a disk costs 0.1 to 10 ms
  double memory_stall_ratio = 0.05;  // PSI memory full (own)

  double evaluation_ratio = 0.25;      // of the run (own)
  double checkpoint_ratio = 0.05;      // of the run (own)
  double throttled_ratio = 0.10;       // of the quota's periods (Kubernetes' usual alert: 0.25)
  double steal_ratio = 0.05;           // of the machine (own)
  double contended_run_cores = 0.30;   // a run that wants less is not held back by others (own)
  double foreign_cores_ratio = 0.10;   // of the cores, taken by programs outside the run (own)
  double forced_switches_per_s = 100;  // of the main thread: every second tick of a busy core (own)
  double cpu_waiting_ratio = 0.50;     // PSI cpu some (own)
  double other_ratio = 0.15;           // XProf's "all other": 0.03 moderate, 0.15 high

  bool operator==(const Thresholds&) const = default;
};

// One settable threshold: its key in the configuration, and the range that makes sense.
struct ThresholdField {
  std::string_view name;
  double Thresholds::*value;
  double low;
  double high;
};

// All of them, in the order of the struct.
std::span<const ThresholdField> threshold_fields() noexcept;

// kNotFound for a key that is none of threshold_fields(), kInvalidInput for a value outside its
// range (or not a number); `thresholds` is then unchanged.
Status set_threshold(Thresholds& thresholds, std::string_view name, double value);

}  // namespace latido::diagnosis
