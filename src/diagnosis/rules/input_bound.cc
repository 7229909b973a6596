// Rule input-bound: the training loop waits for its batches. What can be done about it depends on
// why the batches are late, so the rule first says which of eight causes it is.
#include <algorithm>
#include <cmath>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/hot_function.h"
#include "diagnosis/input_view.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::LoaderFacts;
using analysis::ResourceFacts;
using model::Params;

enum class Cause {
  kInline,       // no workers: the training process makes the batches itself
  kWorkersBusy,  // workers at full speed, cores free
  kCoresFull,    // workers at full speed, no core free
  kCoresTaken,   // the same, and others have a part of the cores
  kWorkersIo,    // workers wait for data to arrive
  kWorkersIdle,  // workers are not busy, batches come late all the same: unevenly
  kTransfer,     // batches are ready, taking them over from the workers costs
  kUnseen,       // how batches are made was not recorded
};

Cause cause_of(const InputView& input, const Thresholds& thresholds) {
  if (input.loader == nullptr) return Cause::kUnseen;
  if (input.loader->workers == 0) return Cause::kInline;
  if (input.loader->made_mean_ns <= 0) return Cause::kUnseen;
  if (input.busy_ratio && *input.busy_ratio < thresholds.worker_busy_ratio) {
    const LoaderFacts& loader = *input.loader;
    const bool ready = loader.batches > 0 && loader.queue_empty * 2 < loader.batches;
    return ready ? Cause::kTransfer : Cause::kWorkersIdle;
  }
  // With all cores busy a low share of processor time may say that workers wait for a core.
  const bool full = input.cores_full || input.taken;
  const std::optional<double> computing =
      input.wanted_ratio || full ? input.wanted_ratio : input.cpu_ratio;
  if (computing && *computing < thresholds.worker_io_cpu_ratio) return Cause::kWorkersIo;
  if (input.taken) return Cause::kCoresTaken;
  return full ? Cause::kCoresFull : Cause::kWorkersBusy;
}

// Workers that compute need a core each; those that wait for data need little of one. More than
// four a core are not advised: each costs memory.
std::uint32_t most_workers(const InputView& input, const Pipeline& pipeline,
                           const ResourceFacts& resources, const Thresholds& thresholds) {
  const double cores = std::max(1.0, std::floor(input.cores));
  double most = pipeline.make_cpu_ratio >= thresholds.worker_io_cpu_ratio ? cores : 4 * cores;
  // A disk that is half busy can serve twice the readers.
  if (input.loader->workers > 0 && pipeline.make_cpu_ratio < thresholds.worker_io_cpu_ratio &&
      resources.disk_busy_ratio && *resources.disk_busy_ratio > 0.05) {
    most = std::min(most, std::floor(input.loader->workers / *resources.disk_busy_ratio));
  }
  return static_cast<std::uint32_t>(std::clamp(most, 1.0, 64.0));
}

// Less than half a core is no core that stands idle.
std::optional<double> cores_to_mention(const InputView& input) {
  return input.idle_cores && *input.idle_cores >= 0.5 ? input.idle_cores : std::nullopt;
}

Params place(const InputView& input, Params params) {
  if (input.loader == nullptr) return params;
  return params.set("file", input.loader->file).set("line", std::int64_t{input.loader->line});
}

void add_headline(FindingBuilder& finding, const InputView& input, Cause cause, double cores) {
  Params params = Params{}.set("wait_ratio", input.view.wait_ratio());
  const std::int64_t workers = input.loader == nullptr ? 0 : input.loader->workers;
  switch (cause) {
    case Cause::kInline:
      set_known(params.set("cores", cores), "idle_cores", cores_to_mention(input));
      finding.headline("input_bound.inline", params).confidence(0.9);
      return;
    case Cause::kWorkersBusy:
      set_known(params.set("workers", workers).set("cores", cores), "idle_cores",
                cores_to_mention(input));
      finding.headline("input_bound.workers_busy", params).confidence(0.9);
      return;
    case Cause::kCoresFull:
      params.set("workers", workers).set("cores", cores);
      finding.headline("input_bound.cores_full", params).confidence(0.8);
      return;
    case Cause::kCoresTaken:
      set_known(params.set("workers", workers)
                    .set("foreign_cores", input.taken->foreign_cores)
                    .set("cores", cores),
                "run_cores", input.run_cores);
      finding.headline("input_bound.cores_taken", params).confidence(0.7);
      return;
    case Cause::kWorkersIo:
      params.set("workers", workers).set("worker_cpu_ratio", *input.cpu_ratio);
      finding.headline("input_bound.workers_wait_io", params).confidence(0.8);
      return;
    case Cause::kWorkersIdle:
      params.set("workers", workers).set("worker_busy_ratio", *input.busy_ratio);
      finding.headline("input_bound.workers_idle", params).confidence(0.6);
      return;
    case Cause::kTransfer:
      finding.headline("input_bound.transfer", params.set("workers", workers)).confidence(0.7);
      return;
    case Cause::kUnseen:
      finding.headline("input_bound.waits", params).confidence(0.5);
      return;
  }
}

void add_maker_evidence(FindingBuilder& finding, const InputView& input,
                        const Thresholds& thresholds) {
  if (input.loader == nullptr) return;
  const LoaderFacts& loader = *input.loader;
  if (loader.workers == 0) {
    finding.evidence("input_bound.evidence.inline",
                     Params{}
                         .set("make_ns", whole_ns(input.view.wait_ns / input.view.batches_per_step))
                         .set("wait_ns", whole_ns(input.view.wait_ns))
                         .set("compute_ns", whole_ns(input.view.step_ns - input.view.wait_ns)));
    const double computing = infer_pipeline(input.observed).make_cpu_ratio;
    if (input.observed.main_cpu_cores && computing < thresholds.worker_io_cpu_ratio) {
      finding.evidence("input_bound.evidence.inline_waits",
                       Params{}.set("make_cpu_ratio", computing));
    }
    return;
  }
  if (loader.made_mean_ns > 0) {
    Params params =
        Params{}.set("workers", std::int64_t{loader.workers}).set("make_ns", loader.made_mean_ns);
    set_known(params, "busy_ratio", input.busy_ratio);
    set_known(params, "worker_cpu_ratio", input.cpu_ratio);
    finding.evidence("input_bound.evidence.workers", params);
  }
  if (loader.batches > 0) {
    finding.evidence("input_bound.evidence.queue",
                     Params{}
                         .set("empty", static_cast<std::int64_t>(loader.queue_empty))
                         .set("batches", static_cast<std::int64_t>(loader.batches)));
  }
}

void add_evidence(FindingBuilder& finding, const InputView& input, const analysis::RunFacts& facts,
                  const Thresholds& thresholds) {
  const ResourceFacts& resources = facts.resources;
  add_maker_evidence(finding, input, thresholds);
  finding.evidence("input_bound.evidence.steps",
                   Params{}
                       .set("affected", static_cast<std::int64_t>(input.affected))
                       .set("steps", static_cast<std::int64_t>(input.steps))
                       .set("threshold_ratio", thresholds.input_wait_ratio));
  if (const std::optional<double> busy = busy_cores(facts)) {
    finding.evidence("input_bound.evidence.cores",
                     Params{}.set("busy_cores", *busy).set("cores", usable_cores(facts)));
  }
  if (resources.disk_busy_ratio && *resources.disk_busy_ratio < thresholds.disk_busy_ratio / 2) {
    Params params = Params{}.set("disk_busy_ratio", *resources.disk_busy_ratio);
    const auto chars = resources.run_read_chars_per_s;
    const auto device = resources.run_read_bytes_per_s;
    // That most reads came from memory explains a quiet disk; a minor part explains nothing.
    constexpr double kMost = 0.5;
    if (chars && device && *chars > 0 && *device <= (1.0 - kMost) * *chars) {
      params.set("cached_ratio", 1.0 - *device / *chars);
    }
    finding.evidence("input_bound.evidence.disk_not_cause", params);
  }
}

void add_then_compute(FindingBuilder& finding, const StepView& view, const model::Gain& gain) {
  if (view.compute_ns <= 0 || gain.step_after_ns <= 0 || is_vague(gain)) return;
  const double ratio = view.compute_ns / static_cast<double>(gain.step_after_ns);
  if (ratio < 0.5) return;
  finding.limit(message(
      "input_bound.limit.then_compute",
      Params{}.set("compute_ratio", std::min(1.0, ratio)).set("step_ns", gain.step_after_ns)));
}

// An action whose effect depends on how well it is done: it removes between `least` and `most` of the
// wait, half of it in the prediction.
void add_partial_gain(FindingBuilder& finding, const StepView& view, double least, double most) {
  const Prediction predicted = predict_saving(view, {.saved_ns = view.wait_ns / 2,
                                                     .least_ns = view.wait_ns * least,
                                                     .most_ns = view.wait_ns * most});
  finding.step_gain(predicted.gain, view.steps_ratio);
  add_then_compute(finding, view, predicted.gain);
  finding.limit(predicted.widest);
}

// How far the model misses the step that was measured: it then misses the next one as far.
double misfit_ratio(const Pipeline& pipeline, const InputView& input) {
  if (input.loader->workers == 0) return 0;
  const double modelled = predict_step_ns(pipeline, input.loader->workers);
  return modelled > 0 ? std::abs(input.view.step_ns / modelled - 1.0) : 0;
}

void add_workers_limit(FindingBuilder& finding, const InputView& input, const Pipeline& pipeline,
                       std::uint32_t workers, bool makers_wait, double cores) {
  constexpr double kAbout = 1.05;  // the knee is not exactly where the two meet
  if (pipeline.make_ns / workers <= kAbout * (pipeline.compute_ns + pipeline.transfer_ns)) {
    finding.limit(message("input_bound.limit.compute",
                          Params{}
                              .set("workers", std::int64_t{workers})
                              .set("compute_ns", whole_ns(pipeline.compute_ns))));
  } else if (!makers_wait && !input.taken) {
    finding.limit(message("input_bound.limit.cores",
                          Params{}.set("workers", std::int64_t{workers} + 1).set("cores", cores)));
  }
}

// True when `workers` is worth the change; the finding then predicts it.
bool try_change_to(FindingBuilder& finding, const InputView& input, const Pipeline& pipeline,
                   std::uint32_t workers, const Thresholds& thresholds) {
  const std::uint32_t now = input.loader->workers;
  const PipelineUncertainty uncertainty{
      .compute_half_width_ns = input.view.half_width_ns,
      .make_low_factor = 0.95,
      // In a worker a batch is made on one thread and with cold caches.
      .make_high_factor = now == 0 ? 1.15 : 1.05,
      .compute_cores_known = input.observed.main_cpu_cores.has_value(),
      .misfit_ratio = misfit_ratio(pipeline, input),
      .workers_before = now};
  const Prediction predicted = predict_pipeline(pipeline, uncertainty, workers, input.view.step_ns);
  if (static_cast<double>(predicted.gain.saved_ns()) <
      thresholds.min_gain_ratio * input.view.step_ns) {
    return false;
  }
  finding.action("input_bound.action.set_workers",
                 place(input, Params{}
                                  .set("workers_before", std::int64_t{now})
                                  .set("workers_after", std::int64_t{workers})));
  finding.step_gain(predicted.gain, input.view.steps_ratio);
  add_then_compute(finding, input.view, predicted.gain);
  finding.limit(predicted.widest);
  return true;
}

// True when more workers are worth it.
bool try_more_workers(FindingBuilder& finding, const InputView& input,
                      const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const Pipeline pipeline = infer_pipeline(input.observed);
  const std::uint32_t now = input.loader->workers;
  const std::uint32_t most = most_workers(input, pipeline, facts.resources, thresholds);
  const std::uint32_t workers = knee_workers(pipeline, most, thresholds.worker_knee_ratio);
  if (workers <= now) return false;

  if (!try_change_to(finding, input, pipeline, workers, thresholds)) return false;
  const bool makers_wait = pipeline.make_cpu_ratio < thresholds.worker_io_cpu_ratio;
  add_workers_limit(finding, input, pipeline, workers, makers_wait, usable_cores(facts));
  constexpr double kWorthSaying = 0.2;
  if (makers_wait && facts.resources.disk_busy_ratio.value_or(0) >= kWorthSaying) {
    finding.limit(message("input_bound.limit.disk",
                          Params{}.set("disk_busy_ratio", *facts.resources.disk_busy_ratio)));
  }
  return true;
}

// Batches that are cheap to make are better made at home than fetched.
void add_transfer_action(FindingBuilder& finding, const InputView& input,
                         const Thresholds& thresholds) {
  if (try_change_to(finding, input, infer_pipeline(input.observed), 0, thresholds)) return;
  Params params;
  const std::int64_t bytes = batch_bytes(input.view.rank->batch_shape);
  if (bytes > 0) params.set("batch_bytes", bytes);
  finding.action("input_bound.action.less_to_hand_over", place(input, params));
  add_partial_gain(finding, input.view, 0.1, 0.9);
}

// Why the number of workers is not what is to be changed.
void add_no_more_workers(FindingBuilder& finding, const InputView& input, double cores) {
  const std::int64_t workers = input.loader->workers;
  if (input.taken) {
    finding.limit(message("input_bound.limit.cores_taken",
                          Params{}
                              .set("foreign_cores", input.taken->foreign_cores)
                              .set("cores", input.taken->cores)));
  } else if (workers == 0) {
    const double make_ns = input.view.wait_ns / input.view.batches_per_step;
    finding.limit(
        message("input_bound.limit.no_worker", Params{}.set("make_ns", whole_ns(make_ns))));
  } else {
    finding.limit(message("input_bound.limit.cores_full",
                          Params{}.set("workers", workers).set("cores", cores)));
  }
}

void add_action(FindingBuilder& finding, const InputView& input, Cause cause,
                const analysis::RunFacts& facts, const Thresholds& thresholds) {
  if (cause == Cause::kUnseen) {
    // Looking makes nothing faster: no prediction, only its rank among the findings.
    finding.action("input_bound.action.look_inside", place(input, {}));
    finding.run_saved(input.view.wait_ratio() / 2 * input.view.steps_ratio);
    return;
  }
  if (cause == Cause::kTransfer) return add_transfer_action(finding, input, thresholds);
  if (cause == Cause::kWorkersIdle) {
    const std::int64_t prefetch = input.loader->prefetch_factor;
    Params params;
    if (prefetch > 0) params.set("prefetch_before", prefetch).set("prefetch_after", prefetch * 4);
    finding.action("input_bound.action.even_batches", place(input, params));
    add_partial_gain(finding, input.view, 0.1, 0.9);
    return;
  }
  if (try_more_workers(finding, input, facts, thresholds)) return;
  const bool io = cause == Cause::kWorkersIo;
  const double make_ns = input.observed.workers == 0 ? input.view.wait_ns : input.observed.make_ns;
  finding.action(
      io ? "input_bound.action.faster_reads" : "input_bound.action.cheaper_batches",
      place(input, Params{}.set("make_ns", whole_ns(make_ns / input.view.batches_per_step))));
  if (!io) add_no_more_workers(finding, input, usable_cores(facts));
  add_partial_gain(finding, input.view, 0.2, 1.0);
}

}  // namespace

std::optional<model::Finding> check_input_bound(const analysis::RunFacts& facts,
                                                const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  if (!view || view->wait_ratio() < thresholds.input_wait_ratio) return std::nullopt;
  const InputView input = input_view(facts, *view, thresholds);
  const Cause cause = cause_of(input, thresholds);
  FindingBuilder finding("input-bound", steady_window(facts));
  add_headline(finding, input, cause, usable_cores(facts));
  add_evidence(finding, input, facts, thresholds);
  const bool in_workers = input.loader != nullptr && input.loader->workers > 0;
  add_evidence(finding,
               in_workers ? hot_worker_function(*view->rank) : hot_function(facts, *view->rank));
  add_action(finding, input, cause, facts, thresholds);
  return finding.take();
}

}  // namespace latido::diagnosis
