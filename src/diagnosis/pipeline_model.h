// What-if arithmetic of an input pipeline: how long a step takes with another number of workers.
//
// Called by the rules about input; tested against a discrete-event simulation of a prefetch queue
// (pipeline_model_test.cc). Pure arithmetic on means in double nanoseconds; never looks at
// single steps, so uneven batches are outside of it: the interval covers them in part.
//
// The model. A step computes for c, then takes batches that cost m of one worker's time, of which a
// share r is processor time. Cores are shared evenly: while the training wants p cores and k workers
// k·r of them, each gets the speed s(k) = min(1, C / (p + k·r)). Workers too slow for the training all
// work all the time, and the training waits:
//   step = c/s(W) + (m − what they made meanwhile) / their speed alone
// Workers that keep up stop while the queue is full, so that only m/step of them work on average: for a
// time a, k do, and for a time b, k + 1, and both kinds of work must be done in step = a + b:
//   c = a·s(k) + b·s(k+1)        m = a·k·v(k) + b·(k+1)·v(k+1)        v: a worker's speed
// Taking the wait away without the s is the usual prediction, and 2 to 9 % too good on real pairs:
// workers take cores from the training.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace latido::diagnosis {

// Of one rank, as if nothing competed for its cores. All times are of one step.
struct Pipeline {
  double compute_ns = 0;      // everything but waiting for data
  double compute_cores = 1;   // cores that this keeps busy, 0 < … ≤ cores
  double make_ns = 0;         // making the step's batches in one worker
  double make_cpu_ratio = 1;  // share of make_ns on a processor, 0..1
  double transfer_ns = 0;     // taking the step's batches over from a worker
  double cores = 1;           // usable by this rank
  // How much more than its fair share of slowness the training gets: 1 = fair. Above 1 because its
  // threads wait for the slowest of them at the end of every operation.
  double unfairness = 1;
};

// Mean step time with `workers` worker processes; 0 makes batches in the training process.
double predict_step_ns(const Pipeline& pipeline, std::uint32_t workers);

// Share of the usable cores that training and workers keep busy together, 0..1.
double busy_ratio(const Pipeline& pipeline, std::uint32_t workers);

// The same pipeline where the cores that compute, and those that make batches, run so many times slower
// than when it was measured.
struct SlowDown {
  double computing = 1;
  double making = 1;
};
Pipeline slowed(const Pipeline& pipeline, const SlowDown& slow_down);

// What was measured of one rank with its present number of workers; means over steady steps.
struct PipelineObservation {
  double step_ns = 0;
  double wait_ns = 0;  // of step_ns, in the loader
  std::uint32_t workers = 0;
  double make_ns =
      0;  // worker time for the batches of one step; 0: not seen (then only with 0 workers)
  double worker_busy_ratio = 1;
  std::optional<double> make_cpu_ratio{};
  std::optional<double> main_cpu_cores{};  // the training process, over the whole step
  double cores = 1;                        // usable by this rank
  double transfer_ns = 0;
};

// Takes the mutual slowing out of an observation. With 0 workers and make_cpu_ratio unknown, the
// share of processor time is what main_cpu_cores leaves for the making, if the training uses one
// core.
Pipeline infer_pipeline(const PipelineObservation& observed);

// Smallest number of workers in 1..most that comes within `knee_ratio` of the best step time there.
std::uint32_t knee_workers(const Pipeline& pipeline, std::uint32_t most, double knee_ratio);

// Bytes of a batch as RankFacts::batch_shape writes it, "64×3×224×224 float32"; 0: cannot be read.
std::int64_t batch_bytes(std::string_view batch_shape) noexcept;

}  // namespace latido::diagnosis
