// Every message that diagnosis can emit, with its parameters: the contract with the catalogue.
//
// Read by report's completeness test (each id has a sentence in each language, each sentence uses
// only these parameters) and by the rules' own tests (a message carries its parameters, and no
// others). `gist` says in plain English what the sentence has to say; it is never shown.
//
// A parameter that ends in '?' here may be absent, empty or (a line) 0: put it into [[ ]]. The name
// without '?' is the key. Texts that stand for a word, by parameter:
//   phase, part   model::Phase texts, "compute" (forward + backward + optimizer), "evaluation",
//   "checkpoint" limit         kNextLimits metric        a phase, "step" or "loss"
#pragma once

#include <array>
#include <cstddef>
#include <string>
#include <string_view>

#include "model/finding.h"

namespace latido::diagnosis {

struct MessageSpec {
  std::string_view id;
  std::array<std::string_view, 8> params;  // the unused ones are empty
  std::string_view gist;
};

inline constexpr std::array<std::string_view, 7> kNextLimits{
    "cores", "one_core", "arithmetic", "data_wait", "communication", "python", "unknown"};

inline constexpr MessageSpec kMessages[] = {
    // Verdicts without a finding.
    {"verdict.healthy",
     {"part", "part_ratio", "limit"},
     "Nothing stands out: compute is 88 % of the step; next limit: the cores."},
    {"verdict.healthy_no_steps",
     {"wall_ns", "busy_cores?", "cores"},
     "The program makes no training steps, and nothing stands out in the run as a whole."},
    {"verdict.no_steps",
     {},
     "The program makes no training steps and its resources were not sampled: no verdict."},
    {"verdict.cannot_tell", {"steps", "needed"}, "12 of the 20 steady steps needed for a verdict."},
    {"verdict.uneven",
     {"p50_ns", "p95_ns"},
     "No rule explains it, but steps are uneven: half take 40 ms or less, one in twenty 900 ms or "
     "more."},
    {"verdict.warming_up",
     {"steps", "needed"},
     "No steady step yet: all of them were warm-up. steps counts the warm-up steps."},

    // input-bound: headlines, one per cause.
    {"input_bound.inline",
     {"wait_ratio", "idle_cores?", "cores"},
     "57 % of every step waits for the DataLoader: the training process makes its batches itself "
     "while 3 of 4 cores stand idle."},
    {"input_bound.workers_busy",
     {"wait_ratio", "workers", "idle_cores?", "cores"},
     "57 % of every step waits for the DataLoader: 2 workers work at full speed; 22 of 32 cores "
     "idle."},
    {"input_bound.cores_full",
     {"wait_ratio", "workers", "cores"},
     "57 % of every step waits for the DataLoader: making batches takes all the processor there "
     "is."},
    {"input_bound.workers_wait_io",
     {"wait_ratio", "workers", "worker_cpu_ratio"},
     "57 % of every step waits for the DataLoader: its workers wait for data to arrive, only 12 % "
     "of "
     "their time computes."},
    {"input_bound.workers_idle",
     {"wait_ratio", "workers", "worker_busy_ratio"},
     "57 % of every step waits for the DataLoader although its workers are idle half of the time: "
     "batches come unevenly."},
    {"input_bound.transfer",
     {"wait_ratio", "workers"},
     "57 % of every step waits for the DataLoader although its batches are ready: taking them over "
     "from the 2 workers is what takes the time."},
    {"input_bound.waits",
     {"wait_ratio"},
     "57 % of every step waits for input; how the batches are made was not seen."},
    // input-bound: actions.
    {"input_bound.action.set_workers",
     {"workers_before", "workers_after", "file?", "line?"},
     "num_workers=2 → 6   train.py:88 DataLoader(...)"},
    {"input_bound.action.cheaper_batches",
     {"make_ns", "file?", "line?"},
     "Make a batch cheaper (816 ms each now): decode once and keep the result, smaller images, a "
     "faster decoder; more workers will not help."},
    {"input_bound.action.faster_reads",
     {"make_ns", "file?", "line?"},
     "Read less or from something faster: local disk, memory, few large files instead of many "
     "small."},
    {"input_bound.action.even_batches",
     {"prefetch_before?", "prefetch_after?", "file?", "line?"},
     "Raise prefetch_factor 2 → 8, or make the batches of equal cost."},
    {"input_bound.action.less_to_hand_over",
     {"batch_bytes?", "file?", "line?"},
     "Hand over less than 38 MB a batch: uint8 and convert after, smaller images, a smaller "
     "batch."},
    {"input_bound.action.look_inside",
     {"file?", "line?"},
     "Put zones around the parts of the input code, to see which one takes the time."},
    // input-bound: evidence.
    {"input_bound.evidence.inline",
     {"make_ns", "wait_ns", "compute_ns"},
     "batches: each takes 20 ms in the training process, 40 ms a step, in which nothing computes"},
    {"input_bound.evidence.workers",
     {"workers", "busy_ratio?", "make_ns", "worker_cpu_ratio?"},
     "workers: 8, 99 % busy each, 816 ms per batch, 97 % of it computing"},
    {"input_bound.evidence.queue",
     {"empty", "batches"},
     "queue: empty when the step asked in 8,471 of 8,480 batches"},
    {"input_bound.evidence.steps",
     {"affected", "steps", "threshold_ratio"},
     "steps: 8,471 of 8,480 wait for more than 10 % of their time"},
    {"input_bound.evidence.disk_not_cause",
     {"disk_busy_ratio", "cached_ratio?"},
     "disk: not the cause: 94 % of reads from page cache, device 3 % busy"},
    {"input_bound.evidence.cores", {"busy_cores", "cores"}, "cores: 10 of 32 busy"},
    // input-bound: limits.
    {"input_bound.limit.compute",
     {"workers", "compute_ns"},
     "not more than 6 workers: compute alone needs 176 ms"},
    {"input_bound.limit.cores",
     {"workers", "cores"},
     "with 8 workers, they and the training would want more than the 32 cores"},
    {"input_bound.limit.no_worker",
     {"make_ns"},
     "a worker would not help: handing batches over and sharing the cores would cost as much as "
     "the "
     "0.3 ms that one takes here"},
    {"input_bound.limit.cores_full",
     {"workers", "cores"},
     "more workers than 2 do not help: they would share the same 2 cores"},
    {"input_bound.limit.disk",
     {"disk_busy_ratio"},
     "more workers help only until the disk is the limit: it is 60 % busy now"},
    {"input_bound.limit.then_compute",
     {"compute_ratio", "step_ns"},
     "after the fix compute is the limit: forward + backward + optimizer = 70 % of 189 ms"},

    // Why the interval of the gain, low to high, is so wide: what widens it most. Shared by the rules.
    {"interval.contention",
     {"low_ns", "high_ns"},
     "how much workers and training slow each other on shared cores"},
    {"interval.batch_time", {"low_ns", "high_ns"}, "the time to make a batch varies"},
    {"interval.noise", {"low_ns", "high_ns"}, "step times vary from step to step"},
    {"interval.transfer", {"low_ns", "high_ns"}, "handing a batch from a worker to the step"},
    {"interval.full_cores",
     {"low_ns", "high_ns"},
     "how much slower cores are when all of them are busy"},
    {"interval.compute_cores",
     {"low_ns", "high_ns"},
     "how many cores the training uses by itself was not measured"},
    {"interval.fix",
     {"low_ns", "high_ns"},
     "how much of it the change removes depends on the change"},

    {"cpu_compute_bound.headline",
     {"compute_ratio", "busy_cores", "cores"},
     "Computing is 95 % of every step and keeps all 8 cores busy: nothing waits, the processor is "
     "the "
     "limit."},
    {"cpu_compute_bound.headline_limit",
     {"compute_ratio", "busy_cores", "cores"},
     "Computing is 85 % of every step and keeps all 8 cores busy: the processor is the limit. "
     "Whether "
     "anything waits is not known."},
    {"cpu_compute_bound.action",
     {"cores", "cores_after", "compute_ns"},
     "A GPU, or more cores (the prediction is for 16 instead of 8), or less arithmetic: bfloat16, "
     "a "
     "smaller input or model."},
    {"cpu_compute_bound.evidence.phases",
     {"forward_ns?", "backward_ns?", "optimizer_ns?"},
     "compute: forward 48 ms, backward 84 ms, optimizer 11 ms"},
    {"cpu_compute_bound.evidence.cores",
     {"busy_cores", "main_cores?", "cores"},
     "cores: 7.8 of 8 busy, 7.5 of them by the training process"},
    {"cpu_compute_bound.evidence.input_not_cause",
     {"wait_ratio"},
     "input: not the cause: 1 % of the step waits for data"},
    {"cpu_compute_bound.limit.serial",
     {"serial_ratio"},
     "12 % of the computing runs on one core and stays"},

    {"one_core_bound.headline",
     {"main_cores", "idle_cores", "cores", "compute_ratio"},
     "Computing is 90 % of every step but uses one core; 7 of 8 stand idle."},
    {"one_core_bound.headline_no_steps",
     {"main_cores", "idle_cores", "cores"},
     "The program computes on one core; 7 of 8 stand idle."},
    {"one_core_bound.action",
     {"threads_after"},
     "Let the computing use the cores: OMP_NUM_THREADS or torch.set_num_threads(8), or a larger "
     "batch."},
    {"one_core_bound.action_no_steps",
     {"processes_after"},
     "Share the work between 8 processes, or use a library that computes on several cores."},
    {"one_core_bound.evidence.cores",
     {"main_cores", "busy_cores", "cores"},
     "cores: the program keeps 1.0 busy, the machine 1.1 of 8"},
    {"one_core_bound.evidence.compute", {"compute_ns", "step_ns"}, "compute: 90 of 100 ms a step"},
    {"one_core_bound.evidence.zone",
     {"zone", "self_ns", "file?", "line?"},
     "where: zone 'groupby' took 12 s itself, job.py:31"},
    {"one_core_bound.evidence.disk_not_cause",
     {"disk_busy_ratio"},
     "disk: not the cause: 3 % busy"},
    {"one_core_bound.limit.small_operations",
     {},
     "operations too small to share gain nothing from threads; then a larger batch helps"},

    {"memory_growing.headline",
     {"growth_bytes_per_step", "grown_bytes"},
     "Memory grows by 38 MB every step, 1.2 GiB so far: something is kept that should go."},
    {"memory_growing.headline_limit",
     {"growth_bytes_per_step", "limit_bytes", "steps_left", "left_ns"},
     "Memory grows by 38 MB every step: the limit of 61 GiB is reached in about 1,200 steps (8 "
     "min)."},
    {"memory_growing.headline_no_steps",
     {"growth_bytes_per_s", "limit_bytes", "left_ns"},
     "Memory grows by 38 MB/s: the limit of 61 GiB is reached in about 8 min."},
    {"memory_growing.action",
     {},
     "Look for what is kept: losses added up with their graph (use loss.item()), lists that grow, "
     "caches without a limit."},
    {"memory_growing.evidence.growth",
     {"growth_bytes_per_step", "low_bytes_per_step", "high_bytes_per_step", "steps"},
     "growth: 38 MB a step [36, 40] over 8,480 steps"},
    {"memory_growing.evidence.growth_rate",
     {"growth_bytes_per_s", "window_ns"},
     "growth: 38 MB/s over the last 5 min"},
    {"memory_growing.evidence.use", {"rss_bytes?", "limit_bytes?"}, "memory: 51 of 61 GiB in use"},

    {"disk_bound.headline",
     {"wait_ratio", "disk_busy_ratio"},
     "57 % of every step waits for the disk: it is 97 % busy."},
    {"disk_bound.headline_no_steps",
     {"disk_busy_ratio", "io_ratio?"},
     "The program waits for the disk, which is 97 % busy; 80 % of the time everything stood still "
     "for it."},
    {"disk_bound.action",
     {"file?", "line?"},
     "Read less or from something faster: memory, a local disk, few large files instead of many "
     "small."},
    {"disk_bound.action_write", {}, "Write less, less often, compressed, or to a faster disk."},
    {"disk_bound.evidence.disk",
     {"disk_busy_ratio", "read_bytes_per_s?", "write_bytes_per_s?", "iowait_cores?"},
     "disk: 97 % busy, reading 120 MB/s, writing 3 MB/s; 1.2 cores wait for it"},
    {"disk_bound.evidence.cached",
     {"cached_ratio", "run_read_bytes_per_s"},
     "cache: only 12 % of the program's reads came from memory, 110 MB/s from the disk"},
    {"disk_bound.evidence.workers",
     {"workers", "worker_cpu_ratio"},
     "workers: 4, only 9 % of their time computes, the rest waits"},
    {"disk_bound.evidence.stalled",
     {"io_ratio"},
     "stalled: 80 % of the time nothing could run because of the disk"},
    {"disk_bound.limit.compute",
     {"step_ns"},
     "with all data in memory a step would still take 189 ms"},

    {"swap_bound.headline",
     {"swap_bytes_per_s", "stalled_ratio?"},
     "The machine swaps 40 MB/s: memory is too small, and 30 % of the time everything waits for "
     "it."},
    {"swap_bound.action",
     {"rss_bytes?", "limit_bytes?"},
     "Use less memory (smaller batch, fewer workers, less prefetch) or a machine with more."},
    {"swap_bound.evidence.swap",
     {"swap_in_bytes_per_s", "swap_out_bytes_per_s", "major_faults_per_s?"},
     "swap: 30 MB/s in, 10 MB/s out, 900 page faults a second wait for the disk"},
    {"swap_bound.evidence.memory",
     {"rss_bytes?", "available_bytes?", "limit_bytes?"},
     "memory: the run uses 15 of 16 GiB, 0.2 GiB are free"},

    {"evaluation_heavy.headline",
     {"evaluation_ratio", "evaluations"},
     "Evaluation takes 41 % of the run, 30 times."},
    {"evaluation_heavy.action",
     {"evaluations"},
     "Evaluate half as often, or on a part of the data, or with a larger batch."},
    {"evaluation_heavy.evidence.time",
     {"evaluation_ns", "evaluations", "each_ns?", "steps_ns"},
     "evaluation: 30 times 4 s = 120 s, training steps 170 s"},
    {"evaluation_heavy.evidence.in_steps",
     {"mean_ns", "step_ratio"},
     "inside steps: 12 ms of each step on average, 9 % of it"},

    {"checkpoint_heavy.headline",
     {"checkpoint_ratio", "checkpoints"},
     "Saving checkpoints takes 12 % of the run, 30 times."},
    {"checkpoint_heavy.action",
     {"checkpoints"},
     "Save half as often, or save a copy from another thread or process."},
    {"checkpoint_heavy.evidence.time",
     {"checkpoint_ns", "checkpoints", "each_ns?", "steps_ns"},
     "checkpoints: 30 times 4 s = 120 s, training steps 170 s"},
    {"checkpoint_heavy.evidence.in_steps",
     {"mean_ns", "step_ratio"},
     "inside steps: 12 ms of each step on average, 9 % of it"},
    {"checkpoint_heavy.evidence.disk",
     {"disk_busy_ratio", "write_bytes_per_s?"},
     "disk: 80 % busy, 300 MB/s written"},

    {"cpu_throttled.headline",
     {"throttled_ratio", "cores"},
     "The CPU limit of 2 cores stops the program in 18 % of its 0.1 s periods."},
    {"cpu_throttled.action",
     {"cores", "run_cores?"},
     "Raise the CPU limit, or use no more threads and workers than it allows (2)."},
    {"cpu_throttled.evidence.throttled",
     {"throttled_ratio"},
     "limit: the quota ran out in 18 % of the periods"},
    {"cpu_throttled.evidence.cores",
     {"run_cores", "cores"},
     "cores: the run used 2.0 of the 2.0 that it may use"},

    {"cpu_contended.headline",
     {"foreign_cores", "cores"},
     "Other programs take 3.1 of the 8 cores while this run needs them."},
    {"cpu_contended.headline_steal",
     {"steal_ratio"},
     "The host takes 12 % of the processor's time away (steal): the virtual machine shares its "
     "cores."},
    {"cpu_contended.headline_self",
     {"run_cores", "cores", "switches_per_s?"},
     "The run's own threads fight for the 2 cores: more of them want to run than there are cores."},
    {"cpu_contended.action",
     {},
     "Run when the machine is free, or reserve cores (taskset, cgroup, a job "
     "with its own cores)."},
    {"cpu_contended.action_steal", {}, "Move to a machine whose cores are not shared."},
    {"cpu_contended.action_self",
     {"cores"},
     "Use fewer threads or workers: together no more than the 2 cores (OMP_NUM_THREADS, "
     "num_workers)."},
    {"cpu_contended.evidence.cores",
     {"busy_cores", "run_cores", "cores"},
     "cores: 7.9 of 8 busy, only 4.8 of them for this run"},
    {"cpu_contended.evidence.steal",
     {"steal_ratio"},
     "steal: 12 % of the machine's processor time"},
    {"cpu_contended.evidence.cost",
     {"lost_ns", "step_ns"},
     "cost: about 35 ms of the 92 ms of a step"},
    {"cpu_contended.evidence.waiting",
     {"waiting_ratio?", "switches_per_s?"},
     "waiting: 40 % of the time some thread waited for a core; 9,000 forced switches a second"},

    {"other_heavy.headline",
     {"other_ratio", "other_ns"},
     "23 % of every step is neither input nor computing, and no zone says what it is."},
    {"other_heavy.headline_zone",
     {"other_ratio", "zone", "zone_ratio", "file?", "line?"},
     "23 % of every step is neither input nor computing: most of it is zone 'augment'."},
    {"other_heavy.action",
     {},
     "Put latido.zone(...) around the code between the phases: logging, metrics, data handling."},
    {"other_heavy.action_zone",
     {"zone", "file?", "line?"},
     "Make zone 'augment' faster, or move it into "
     "the loader's workers."},
    {"other_heavy.action_zone_alone",
     {"zone", "file?", "line?"},
     "Make zone 'augment' faster. Without a loader there are no workers to move it into."},
    {"other_heavy.verdict_zone", {}, "OTHER CODE: the verdict's name where zones name most of it."},
    {"other_heavy.evidence.parts",
     {"unnamed_ns", "zones_ns", "step_ns"},
     "other: 21 ms without a name, 2 ms in zones, of 100 ms a step"},
    {"other_heavy.evidence.zone",
     {"zone", "mean_ns", "calls", "file?", "line?"},
     "zone 'augment': 18 ms a step, 8,480 calls, train.py:40"},

    // compare.h: why two runs cannot be compared, and what differs between them.
    {"compare.not_comparable.batch_size", {"before", "after"}, "different batch size: 64, 128"},
    {"compare.not_comparable.cores", {"before", "after"}, "different number of cores: 8, 16"},
    {"compare.not_comparable.host", {"before", "after"}, "different machines: gpu-017, gpu-018"},
    {"compare.not_comparable.cpu", {"before", "after"}, "different processors"},
    {"compare.not_comparable.ranks", {"before", "after"}, "different number of ranks: 4, 8"},
    {"compare.not_comparable.batches_per_step",
     {"before", "after"},
     "different number of batches a step (gradient accumulation): 1, 4"},
    {"compare.not_comparable.step_source",
     {"before", "after"},
     "steps were found differently: optimizer, api"},
    {"compare.not_comparable.no_steps",
     {"before", "after"},
     "too few steady steps to compare: 0, 8,480"},
    {"compare.differs.workers", {"before", "after"}, "num_workers 2 → 6"},
    {"compare.differs.prefetch", {"before", "after"}, "prefetch_factor 2 → 4"},
    {"compare.differs.command", {}, "the command line"},
    {"compare.differs.commit", {"before", "after"}, "the code: a1b2c3 → d4e5f6"},
    {"compare.differs.torch", {"before", "after"}, "torch 2.5.0 → 2.6.0"},
    {"compare.differs.python", {"before", "after"}, "Python 3.11 → 3.12"},
    {"compare.prediction.not_tried", {}, "not tried: nothing shows the change that it was for"},
    {"compare.prediction.other_change",
     {"workers_predicted", "workers_after"},
     "the prediction was for 6 workers, the run has 4"},
    {"compare.prediction.other_cores",
     {"cores_predicted", "cores"},
     "the prediction was for 16 cores, the run has 12"},
};

// Empty when `message` has a listed id, every parameter that its spec requires and no other; else
// what is wrong with it, for a test's output.
std::string mismatch(const model::Message& message);

}  // namespace latido::diagnosis
