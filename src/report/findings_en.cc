// English: what diagnosis says. The ids and their parameters are those of diagnosis/message_ids.h.
#include <array>

#include "report/messages.h"

namespace latido::report {
namespace {

constexpr std::array kFindings = std::to_array<CatalogueEntry>({
    {"verdict.healthy",
     "Nothing stands out: {part:@part.} is {part_ratio} of the step; next limit: "
     "{limit:@limit.}.[[ Other programs kept {foreign_cores} cores busy meanwhile.]]"},
    {"verdict.healthy_no_steps",
     "No training steps were seen, and nothing stands out in {wall_ns}[[; this run kept "
     "{busy_cores} of {cores} cores busy]].[[ Other programs kept {foreign_cores} cores busy "
     "meanwhile.]]"},
    {"verdict.no_steps_function",
     "No training steps were seen. {function} itself takes {ratio} of {wall_ns}, by samples[[, "
     "{file}]][[:{line}]][[; this run kept {busy_cores} of {cores} cores busy]].[[ Other programs "
     "kept {foreign_cores} cores busy meanwhile.]]"},
    {"verdict.no_steps",
     "No training steps were seen and the machine was not sampled: there is nothing to judge by."},
    {"verdict.cannot_tell", "{steps} of {needed} steady steps needed for a verdict."},
    {"verdict.uneven",
     "Steps are uneven, and nothing that was measured says why: half of them take at most "
     "{p50_ns}, one in twenty at least {p95_ns}.[[ Other programs kept {foreign_cores} cores busy "
     "meanwhile.]]"},
    {"verdict.warming_up",
     "All {steps} {steps|step|steps} were warm-up; a verdict needs {needed} steady ones."},

    {"input_bound.inline",
     "{wait_ratio} of every step waits for the DataLoader.\tThe training process makes its batches "
     "itself[[; {idle_cores} of {cores} cores stand idle]]."},
    {"input_bound.workers_busy",
     "{wait_ratio} of every step waits for the DataLoader.\tIts {workers} {workers|worker|workers} "
     "{workers|works|work} at full speed[[; {idle_cores} of {cores} cores stand idle]]."},
    {"input_bound.cores_full",
     "{wait_ratio} of every step waits for the DataLoader.\tMaking batches with {workers} "
     "{workers|worker|workers} takes all of the {cores} {cores|core|cores}."},
    {"input_bound.cores_taken",
     "{wait_ratio} of every step waits for the DataLoader.\tOther programs take {foreign_cores} of "
     "the {cores} {cores|core|cores}; its {workers} {workers|worker|workers} and the training "
     "share the rest[[ ({run_cores} used)]]."},
    {"input_bound.workers_wait_io",
     "{wait_ratio} of every step waits for the DataLoader.\tIts {workers} {workers|worker|workers} "
     "{workers|waits|wait} for data to arrive: only {worker_cpu_ratio} of their time is spent "
     "computing."},
    {"input_bound.workers_idle",
     "{wait_ratio} of every step waits for the DataLoader, although its {workers} "
     "{workers|worker is|workers are} busy only {worker_busy_ratio} of the time: batches come "
     "unevenly."},
    {"input_bound.transfer",
     "{wait_ratio} of every step waits for the DataLoader, although its batches are ready: taking "
     "them over from {workers} {workers|worker|workers} takes the time."},
    {"input_bound.waits",
     "{wait_ratio} of every step waits for input; how the batches are made was not seen."},
    {"input_bound.action.set_workers",
     "num_workers={workers_before} → {workers_after}[[   {file}]][[:{line}]]   DataLoader(...)"},
    {"input_bound.action.cheaper_batches",
     "make a batch cheaper ({make_ns} each now): decode once and keep the result, smaller images, "
     "a faster decoder[[ · {file}]][[:{line}]]"},
    {"input_bound.action.faster_reads",
     "read less, or from something faster: local disk, memory, a few large files instead of many "
     "small ones; a batch takes {make_ns} now[[ · {file}]][[:{line}]]"},
    {"input_bound.action.even_batches",
     "[[prefetch_factor={prefetch_before} → {prefetch_after}, or ]]make the batches of equal "
     "cost[[ · {file}]][[:{line}]]"},
    {"input_bound.action.less_to_hand_over",
     "hand over less[[ than {batch_bytes} a batch]]: uint8 and convert after, smaller images, a "
     "smaller batch[[ · {file}]][[:{line}]]"},
    {"input_bound.action.look_inside",
     "put latido.zone(...) around the parts of the input code, to see which one takes the "
     "time[[ · {file}]][[:{line}]]"},
    {"input_bound.evidence.inline",
     "batches\teach takes {make_ns} in the training process: {wait_ns} a step in which nothing "
     "computes, beside {compute_ns} of computing"},
    {"input_bound.evidence.inline_waits",
     "making\tabout {make_cpu_ratio} of it computes, the rest waits: several workers can wait at "
     "the same time"},
    {"input_bound.evidence.workers",
     "workers\t{workers} {workers|worker|workers}[[, {busy_ratio} busy each]], {make_ns} per "
     "batch[[; {worker_cpu_ratio} of it computing]]"},
    {"input_bound.evidence.queue",
     "queue\tempty when the step asked, for {empty} of {batches} batches"},
    {"input_bound.evidence.steps",
     "steps\t{affected} of {steps} wait for more than {threshold_ratio} of their time"},
    {"input_bound.evidence.disk_not_cause",
     "disk\tnot the cause: [[{cached_ratio} of reads from page cache, ]]device {disk_busy_ratio} "
     "busy"},
    {"input_bound.evidence.cores", "cores\t{busy_cores} of {cores} busy"},
    {"input_bound.limit.compute",
     "not more than {workers} {workers|worker|workers}: compute alone needs {compute_ns}"},
    {"input_bound.limit.cores",
     "with {workers} {workers|worker, it|workers, they} and the training would want more than the "
     "{cores} "
     "{cores|core|cores}"},
    {"input_bound.limit.no_worker",
     "a worker would not help: handing batches over and sharing the cores would cost as much as "
     "the "
     "{make_ns} that one takes here"},
    {"input_bound.limit.cores_full",
     "more than {workers} {workers|worker|workers} would not help: they share the same {cores} "
     "{cores|core|cores}"},
    {"input_bound.limit.cores_taken",
     "more workers would share what other programs leave: they take {foreign_cores} of the {cores} "
     "{cores|core|cores}"},
    {"input_bound.limit.disk",
     "more workers help only until the disk is the limit: it is {disk_busy_ratio} busy now"},
    {"input_bound.limit.then_compute",
     "after the fix compute is the limit: {compute_ratio} of {step_ns}"},

    {"interval.up_to",
     "at best {best_ns} a step[[, up to {factor}× faster]]: how much of it depends on the change"},

    {"interval.contention",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because workers and training slow "
     "each "
     "other on shared cores"},
    {"interval.batch_time",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because the time to make a batch "
     "varies"},
    {"interval.noise",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because step times vary"},
    {"interval.transfer",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because handing a batch to the step "
     "takes a "
     "varying time"},
    {"interval.full_cores",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because cores may be slower when all "
     "are busy"},
    {"interval.compute_cores",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because the cores that training uses "
     "by "
     "itself were not measured"},
    {"interval.fix",
     "the interval [{low_ns}, {high_ns}] is this wide mostly because what goes away depends on the "
     "change"},

    {"cpu_compute_bound.headline",
     "Computing is {compute_ratio} of every step and keeps {busy_cores} of {cores} "
     "{cores|core|cores} busy. Nothing waits: the processor is the limit."},
    {"cpu_compute_bound.headline_limit",
     "Computing is {compute_ratio} of every step and keeps {busy_cores} of {cores} "
     "{cores|core|cores} busy: the processor is the limit."},
    {"cpu_compute_bound.action",
     "a GPU, or more cores (the prediction is for {cores_after} instead of {cores}), or less "
     "arithmetic than {compute_ns} a step: bfloat16, a smaller input or model"},
    {"cpu_compute_bound.evidence.phases",
     "compute\t[[forward {forward_ns} ]][[backward {backward_ns} ]][[optimizer {optimizer_ns}]]"},
    {"cpu_compute_bound.evidence.cores",
     "cores\t{busy_cores} of {cores} busy[[, {main_cores} of them by the training process]]"},
    {"cpu_compute_bound.evidence.input_not_cause",
     "input\tnot the cause: {wait_ratio} of the step waits for data"},
    {"cpu_compute_bound.limit.serial",
     "{serial_ratio} of the computing runs on one core and stays"},

    {"one_core_bound.headline",
     "Computing is {compute_ratio} of every step but keeps only {main_cores} of {cores} cores "
     "busy; {idle_cores} stand idle."},
    {"one_core_bound.headline_no_steps",
     "The program computes on one core ({main_cores} of {cores}); {idle_cores} stand idle."},
    {"one_core_bound.action",
     "let the computing use the cores: OMP_NUM_THREADS={threads_after} or "
     "torch.set_num_threads({threads_after}), or a larger batch"},
    {"one_core_bound.action_no_steps",
     "share the work between {processes_after} processes, or use a library that computes on "
     "several cores"},
    {"one_core_bound.evidence.cores",
     "cores\tthe program keeps {main_cores} busy, the machine {busy_cores} of {cores}"},
    {"one_core_bound.evidence.compute", "compute\t{compute_ns} of {step_ns} a step"},
    {"one_core_bound.evidence.zone",
     "where\tzone “{zone}” took {self_ns} itself[[, {file}]][[:{line}]]"},
    {"one_core_bound.evidence.disk_not_cause", "disk\tnot the cause: {disk_busy_ratio} busy"},
    {"one_core_bound.limit.small_operations",
     "operations too small to share gain nothing from threads; a larger batch does help then"},

    {"memory_growing.headline",
     "Memory grows by {growth_bytes_per_step}, {grown_bytes} so far: something is kept that should "
     "go."},
    {"memory_growing.headline_limit",
     "Memory grows by {growth_bytes_per_step}: the limit of {limit_bytes} is reached in about "
     "{steps_left} steps ({left_ns})."},
    {"memory_growing.headline_no_steps",
     "Memory grows by {growth_bytes_per_s}: the limit of {limit_bytes} is reached in about "
     "{left_ns}."},
    {"memory_growing.action",
     "look for what is kept: losses added up with their graph (use loss.item()), lists that only "
     "grow, caches without a limit"},
    {"memory_growing.evidence.growth",
     "growth\t{growth_bytes_per_step} [{low_bytes_per_step}, {high_bytes_per_step}] over {steps} "
     "steps"},
    {"memory_growing.evidence.growth_rate",
     "growth\t{growth_bytes_per_s} over the last {window_ns}"},
    {"memory_growing.evidence.use", "memory\t[[{rss_bytes} in use]][[, limit {limit_bytes}]]"},

    {"disk_bound.headline",
     "{wait_ratio} of every step waits for the disk, which is {disk_busy_ratio} busy."},
    {"disk_bound.headline_no_steps",
     "The program waits for the disk, which is {disk_busy_ratio} busy[[; {io_ratio} of the time "
     "everything stood still for it]]."},
    {"disk_bound.action",
     "read less, or from something faster: memory, a local disk, a few large files instead of many "
     "small ones[[ · {file}]][[:{line}]]"},
    {"disk_bound.action_write", "write less, less often, compressed, or to a faster disk"},
    {"disk_bound.evidence.disk",
     "disk\t{disk_busy_ratio} busy[[, reading {read_bytes_per_s}]][[, writing "
     "{write_bytes_per_s}]][[; cores waiting for it: {iowait_cores}]]"},
    {"disk_bound.evidence.cached",
     "cache\tonly {cached_ratio} of the program's reads came from memory, {run_read_bytes_per_s} "
     "from the disk"},
    {"disk_bound.evidence.workers",
     "workers\t{workers}, only {worker_cpu_ratio} of their time computes, the rest waits"},
    {"disk_bound.evidence.stalled",
     "stalled\t{io_ratio} of the time nothing could run because of the disk"},
    {"disk_bound.limit.compute", "with all data in memory a step would still take {step_ns}"},

    {"swap_bound.headline",
     "The machine swaps {swap_bytes_per_s}: memory is too small[[, and {stalled_ratio} of the time "
     "everything waits for it]]."},
    {"swap_bound.action",
     "use less memory (smaller batch, fewer workers, less prefetch) or a machine with "
     "more[[; {rss_bytes} used]][[ of {limit_bytes}]]"},
    {"swap_bound.evidence.swap",
     "swap\t{swap_in_bytes_per_s} in, {swap_out_bytes_per_s} out[[; page faults that wait for the "
     "disk: {major_faults_per_s}]]"},
    {"swap_bound.evidence.memory",
     "memory\t[[the run uses {rss_bytes}]][[ of {limit_bytes}]][[, {available_bytes} free]]"},

    {"evaluation_heavy.headline",
     "Evaluation takes {evaluation_ratio} of the run, {evaluations} {evaluations|time|times}."},
    {"evaluation_heavy.action",
     "evaluate half as often (now {evaluations} {evaluations|time|times}), on a part of the data, "
     "or with a larger batch"},
    {"evaluation_heavy.evidence.time",
     "time\t{evaluations} {evaluations|evaluation|evaluations}[[ of {each_ns}]] = {evaluation_ns}, "
     "training steps {steps_ns}"},
    {"evaluation_heavy.evidence.in_steps",
     "in steps\t{mean_ns} of each step on average, {step_ratio} of it"},

    {"checkpoint_heavy.headline",
     "Saving checkpoints takes {checkpoint_ratio} of the run, {checkpoints} "
     "{checkpoints|time|times}."},
    {"checkpoint_heavy.action",
     "save half as often (now {checkpoints} {checkpoints|time|times}), or save a copy from another "
     "thread or process"},
    {"checkpoint_heavy.evidence.time",
     "time\t{checkpoints} {checkpoints|checkpoint|checkpoints}[[ of {each_ns}]] = {checkpoint_ns}, "
     "training steps {steps_ns}"},
    {"checkpoint_heavy.evidence.in_steps",
     "in steps\t{mean_ns} of each step on average, {step_ratio} of it"},
    {"checkpoint_heavy.evidence.disk",
     "disk\t{disk_busy_ratio} busy[[, {write_bytes_per_s} written]]"},

    {"cpu_throttled.headline",
     "The CPU limit of {cores} {cores|core|cores} stops the program in {throttled_ratio} of its "
     "periods of 0.1 s."},
    {"cpu_throttled.action",
     "raise the CPU limit, or use no more threads and workers than its {cores} "
     "{cores|core|cores}[[ ({run_cores} used now)]]"},
    {"cpu_throttled.evidence.throttled", "limit\tused up in {throttled_ratio} of the periods"},
    {"cpu_throttled.evidence.cores",
     "cores\tthe run used {run_cores} of the {cores} that it may use"},

    {"cpu_contended.evidence.others",
     "others\tother programs kept {foreign_cores} of the {cores} {cores|core|cores} busy"},
    {"cpu_contended.headline",
     "Other programs take {foreign_cores} of the {cores} cores while this run needs them."},
    {"cpu_contended.headline_steal",
     "The host takes {steal_ratio} of the processor's time away (steal): the virtual machine "
     "shares its cores."},
    {"cpu_contended.headline_self",
     "The run's own threads fight for the {cores} {cores|core|cores} ({run_cores} used): more of "
     "them want to run than there are cores[[, {switches_per_s} forced switches]]."},
    {"cpu_contended.action",
     "run when the machine is free, or reserve cores (taskset, a cgroup, a job with its own "
     "cores)"},
    {"cpu_contended.action_steal", "move to a machine whose cores are not shared"},
    {"cpu_contended.action_self",
     "use fewer threads or workers, together no more than {cores} {cores|core|cores} "
     "(OMP_NUM_THREADS, num_workers)"},
    {"cpu_contended.evidence.cores",
     "cores\t{busy_cores} of {cores} busy, only {run_cores} of them for this run"},
    {"cpu_contended.evidence.steal", "steal\t{steal_ratio} of the machine's processor time"},
    {"cpu_contended.evidence.cost", "cost\tabout {lost_ns} of the {step_ns} of a step"},
    {"cpu_contended.evidence.core_wait",
     "cost\tfor {lost_ns} of the {step_ns} of a step the run was ready to go on and others had the "
     "cores"},
    {"cpu_contended.evidence.waiting",
     "waiting\t[[{waiting_ratio} of the time some thread waited for a core]][[; forced switches: "
     "{switches_per_s}]]"},

    {"other_heavy.headline",
     "{other_ratio} of every step ({other_ns}) is neither input nor computing, and no zone says "
     "what it is."},
    {"other_heavy.headline_function",
     "{other_ratio} of every step ({other_ns}) is neither input nor computing; samples find "
     "{function} most often, {ratio} of the time."},
    {"other_heavy.action_function",
     "make {function} faster, or move it into the loader's workers[[ · {file}]][[:{line}]]"},
    {"hot_function.evidence",
     "functions\t{function} itself takes {ratio} of the time, by samples[[, {file}]][[:{line}]]"},
    {"other_heavy.headline_zone",
     "{other_ratio} of every step is neither input nor computing; zone “{zone}” alone is "
     "{zone_ratio}[[, {file}]][[:{line}]]."},
    {"other_heavy.action",
     "put latido.zone(...) around the code between the phases: logging, metrics, data handling"},
    {"other_heavy.action_zone",
     "make zone “{zone}” faster, or move it into the loader's workers[[ · {file}]][[:{line}]]"},
    {"other_heavy.action_zone_alone", "make zone “{zone}” faster[[ · {file}]][[:{line}]]"},
    {"other_heavy.verdict_zone", "OTHER CODE"},
    {"other_heavy.evidence.parts",
     "other\t{unnamed_ns} without a name, {zones_ns} in zones, of {step_ns} a step"},
    {"other_heavy.evidence.zone",
     "zone\t“{zone}”: {mean_ns} a step, {calls} {calls|call|calls}[[, {file}]][[:{line}]]"},

    {"compare.not_comparable.batch_size", "different batch sizes: {before}, {after}"},
    {"compare.not_comparable.cores", "different numbers of cores: {before}, {after}"},
    {"compare.not_comparable.host", "different machines: {before}, {after}"},
    {"compare.not_comparable.cpu", "different processors: {before}, {after}"},
    {"compare.not_comparable.ranks", "different numbers of ranks: {before}, {after}"},
    {"compare.not_comparable.batches_per_step",
     "different numbers of batches a step (gradient accumulation): {before}, {after}"},
    {"compare.not_comparable.step_source", "the steps were found differently: {before}, {after}"},
    {"compare.not_comparable.no_steps", "too few steady steps to compare: {before}, {after}"},
    {"compare.differs.workers", "num_workers {before} → {after}"},
    {"compare.differs.prefetch", "prefetch_factor {before} → {after}"},
    {"compare.differs.command", "the command line"},
    {"compare.differs.commit", "the code: {before} → {after}"},
    {"compare.differs.torch", "torch {before} → {after}"},
    {"compare.differs.python", "Python {before} → {after}"},
    {"compare.caution.contended_before",
     "before: its cores were taken by others, its times are too long"},
    {"compare.caution.contended_after",
     "after: its cores were taken by others, its times are too long"},
    {"compare.caution.contended_both",
     "both: their cores were taken by others, their times are too long"},
    {"compare.caution.nothing_changed",
     "nothing that was recorded changed (edits without a commit are not seen); such runs differ by "
     "up to {spread_ratio} by themselves"},
    {"compare.prediction.not_tried",
     "not tried: the recordings do not show that the advised change was made"},
    {"compare.prediction.other_cores",
     "the prediction was for {cores_predicted} cores, the run has {cores}"},
    {"compare.prediction.vague",
     "its interval, {low_ns} to {high_ns}, is too wide to be missed: it says nothing"},
    {"compare.prediction.other_change",
     "the prediction was for {workers_predicted} {workers_predicted|worker|workers}, the run has "
     "{workers_after}"},
});

}  // namespace

std::span<const CatalogueEntry> findings_en() noexcept { return kFindings; }

}  // namespace latido::report
