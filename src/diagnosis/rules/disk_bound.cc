// Rule disk-bound: the run waits for a disk that cannot go faster. With steps: batches are late because
// their makers wait for reads. Without: the program stands still while the disk works.
#include <algorithm>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/input_view.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::ResourceFacts;
using model::Params;

bool disk_is_the_limit(const ResourceFacts& resources, const Thresholds& thresholds) {
  return resources.disk_busy_ratio.value_or(0) >= thresholds.disk_busy_ratio;
}

void add_disk_evidence(FindingBuilder& finding, const ResourceFacts& resources) {
  Params disk = Params{}.set("disk_busy_ratio", resources.disk_busy_ratio.value_or(0));
  set_known(disk, "read_bytes_per_s", resources.disk_read_bytes_per_s);
  set_known(disk, "write_bytes_per_s", resources.disk_write_bytes_per_s);
  set_known(disk, "iowait_cores", resources.cpu_iowait_ratio);
  finding.evidence("disk_bound.evidence.disk", disk);
  const auto chars = resources.run_read_chars_per_s;
  const auto device = resources.run_read_bytes_per_s;
  if (chars && device && *chars > 0) {
    finding.evidence("disk_bound.evidence.cached",
                     Params{}
                         .set("cached_ratio", std::clamp(1.0 - *device / *chars, 0.0, 1.0))
                         .set("run_read_bytes_per_s", *device));
  }
  if (resources.psi_io_full_ratio && *resources.psi_io_full_ratio > 0) {
    finding.evidence("disk_bound.evidence.stalled",
                     Params{}.set("io_ratio", *resources.psi_io_full_ratio));
  }
}

// A step in which batches cost only their processor time; at the high end half of the reading stays.
Prediction without_reading(const InputView& input, const Pipeline& pipeline) {
  Pipeline cached = pipeline;
  cached.make_ns = pipeline.make_ns * pipeline.make_cpu_ratio;
  cached.make_cpu_ratio = 1.0;
  Pipeline half = pipeline;
  half.make_ns = (pipeline.make_ns + cached.make_ns) / 2;
  half.make_cpu_ratio = cached.make_ns / std::max(1.0, half.make_ns);
  const std::uint32_t workers = input.loader->workers;
  const double step_ns = input.view.step_ns;
  const double after_ns = std::min(step_ns, predict_step_ns(cached, workers));
  return predict_saving(
      input.view,
      {.saved_ns = step_ns - after_ns,
       .least_ns = std::max(0.0, step_ns - std::max(after_ns, predict_step_ns(half, workers))),
       .most_ns = step_ns - after_ns});
}

CheckedFinding check_steps(const analysis::RunFacts& facts, const Thresholds& thresholds,
                           const StepView& view) {
  if (view.wait_ratio() < thresholds.input_wait_ratio) return std::nullopt;
  const InputView input = input_view(facts, view, thresholds);
  if (input.loader == nullptr) return std::nullopt;
  // What the makers of batches do while they are late; unknown is no proof.
  if (input.loader->workers == 0 ? !facts.resources.main_cpu_cores : !input.cpu_ratio) {
    return std::nullopt;
  }
  const Pipeline pipeline = infer_pipeline(input.observed);
  if (pipeline.make_cpu_ratio >= thresholds.worker_io_cpu_ratio) return std::nullopt;

  FindingBuilder finding("disk-bound", steady_window(facts));
  finding.confidence(0.9).headline("disk_bound.headline",
                                   Params{}
                                       .set("wait_ratio", view.wait_ratio())
                                       .set("disk_busy_ratio", *facts.resources.disk_busy_ratio));
  finding.action(
      "disk_bound.action",
      Params{}.set("file", input.loader->file).set("line", std::int64_t{input.loader->line}));
  add_disk_evidence(finding, facts.resources);
  if (input.cpu_ratio) {
    finding.evidence("disk_bound.evidence.workers",
                     Params{}
                         .set("workers", std::int64_t{input.loader->workers})
                         .set("worker_cpu_ratio", *input.cpu_ratio));
  }
  const Prediction predicted = without_reading(input, pipeline);
  finding.step_gain(predicted.gain, view.steps_ratio);
  finding.limit(
      message("disk_bound.limit.compute", Params{}.set("step_ns", predicted.gain.low_ns)));
  finding.limit(predicted.widest);
  return finding.take();
}

CheckedFinding check_program(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const ResourceFacts& resources = facts.resources;
  const double stalled = resources.psi_io_full_ratio.value_or(0);
  const bool waits = stalled >= thresholds.disk_io_stall_ratio ||
                     resources.cpu_iowait_ratio.value_or(0) >= thresholds.iowait_cores;
  // A program that computes all the time is not held back, however busy the disk is.
  if (!waits || resources.run_cpu_cores.value_or(0) >= thresholds.one_core_min_cores) {
    return std::nullopt;
  }
  FindingBuilder finding("disk-bound", steady_window(facts));
  Params headline = Params{}.set("disk_busy_ratio", *resources.disk_busy_ratio);
  set_known(headline, "io_ratio", resources.psi_io_full_ratio);
  finding.confidence(0.7).headline("disk_bound.headline_no_steps", headline);
  const bool writes =
      resources.disk_write_bytes_per_s.value_or(0) > resources.disk_read_bytes_per_s.value_or(0);
  finding.action(writes ? "disk_bound.action_write" : "disk_bound.action");
  add_disk_evidence(finding, resources);
  const double waiting = std::max(stalled, std::min(1.0, resources.cpu_iowait_ratio.value_or(0)));
  // Half of the wait: no storage is free of it.
  finding.run_saved(waiting / 2);
  return finding.take();
}

}  // namespace

CheckedFinding check_disk_bound(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  if (!disk_is_the_limit(facts.resources, thresholds)) return std::nullopt;
  const std::optional<StepView> view = step_view(facts);
  return view ? check_steps(facts, thresholds, *view) : check_program(facts, thresholds);
}

}  // namespace latido::diagnosis
