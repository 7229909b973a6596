// Rule cpu-compute-bound: the step computes all the time, on all cores. Nothing is wasted; only a
// faster machine or less arithmetic helps. Short steps are called healthy instead: a GPU would spend
// them waiting for its launches.
#include <algorithm>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::ResourceFacts;
using model::Params;

// Share of the computing time that runs on one core only, if the rest runs on all: from how many cores
// are busy on average while the step computes.
double serial_ratio(const StepView& view, double main_cores, double cores) {
  if (cores <= 1 || view.compute_ns <= 0) return 1.0;
  const double busy = std::clamp(main_cores * view.step_ns / view.compute_ns, 1.0, cores);
  return (cores - busy) / (cores - 1.0);
}

bool wait_is_measured(const StepView& view) {
  return view.rank->phases[static_cast<std::size_t>(model::Phase::kDataWait)].mean_ns >= 0;
}

// So much that it may be waiting which no hook saw.
bool has_much_other(const StepView& view) {
  constexpr double kMuch = 0.10;
  return phase_ns(*view.rank, model::Phase::kOther) >= kMuch * view.step_ns;
}

void add_evidence(FindingBuilder& finding, const analysis::RunFacts& facts, const StepView& view) {
  const ResourceFacts& resources = facts.resources;
  Params phases;
  const auto add = [&](const char* name, model::Phase phase) {
    const double ns = phase_ns(*view.rank, phase);
    if (ns > 0) phases.set(name, whole_ns(ns));
  };
  add("forward_ns", model::Phase::kForward);
  add("backward_ns", model::Phase::kBackward);
  add("optimizer_ns", model::Phase::kOptimizer);
  finding.evidence("cpu_compute_bound.evidence.phases", phases);

  Params cores = Params{}.set("busy_cores", *busy_cores(facts)).set("cores", usable_cores(facts));
  set_known(cores, "main_cores", resources.main_cpu_cores);
  finding.evidence("cpu_compute_bound.evidence.cores", cores);
  if (wait_is_measured(view)) {
    finding.evidence("cpu_compute_bound.evidence.input_not_cause",
                     Params{}.set("wait_ratio", view.wait_ratio()));
  }
  if (has_much_other(view)) {
    const auto other_ns = [&](model::OtherPart part) {
      return std::max<std::int64_t>(0, view.rank->other_mean_ns[static_cast<std::size_t>(part)]);
    };
    finding.evidence("other_heavy.evidence.parts",
                     Params{}
                         .set("unnamed_ns", other_ns(model::OtherPart::kUnnamed))
                         .set("zones_ns", other_ns(model::OtherPart::kZones))
                         .set("step_ns", whole_ns(view.step_ns)));
  }
}

}  // namespace

CheckedFinding check_cpu_compute_bound(const analysis::RunFacts& facts,
                                       const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  const ResourceFacts& resources = facts.resources;
  const double cores = usable_cores(facts);
  if (!view || !computes_on_host(*view) || view->compute_ratio() < thresholds.compute_ratio ||
      view->compute_ns < thresholds.compute_step_ns ||
      !cores_full(facts, thresholds.cores_full_ratio)) {
    return std::nullopt;
  }
  const bool nothing_waits = wait_is_measured(*view) && !has_much_other(*view);
  FindingBuilder finding("cpu-compute-bound", steady_window(facts));
  finding.confidence(0.7)
      .headline(nothing_waits ? "cpu_compute_bound.headline" : "cpu_compute_bound.headline_limit",
                Params{}
                    .set("compute_ratio", view->compute_ratio())
                    .set("busy_cores", *busy_cores(facts))
                    .set("cores", cores))
      .action("cpu_compute_bound.action", Params{}
                                              .set("cores", cores)
                                              .set("cores_after", cores * 2)
                                              .set("compute_ns", whole_ns(view->compute_ns)));
  add_evidence(finding, facts, *view);

  const double serial = serial_ratio(*view, resources.main_cpu_cores.value_or(cores), cores);
  const double halved = view->compute_ns * (1.0 - serial) / 2;
  // Twice the cores halve what runs on all of them, at best; memory is shared, so rather less.
  const Prediction predicted = predict_saving(
      *view, {.saved_ns = halved * 0.75, .least_ns = halved * 0.4, .most_ns = halved});
  finding.step_gain(predicted.gain, view->steps_ratio);
  if (serial >= 0.05) {
    finding.limit(message("cpu_compute_bound.limit.serial", Params{}.set("serial_ratio", serial)));
  }
  finding.limit(predicted.widest);
  return finding.take();
}

}  // namespace latido::diagnosis
