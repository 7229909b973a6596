// Rule cpu-throttled: the container's CPU quota stops the program before its work is done.
#include <algorithm>
#include <cmath>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using model::Params;

// The kernel sums the time over cores. If all cores were held back at once, the program lost it all; if
// one after the other, only its share of them. The truth lies between.
Saving lost_time(double step_ns, double throttled, double cores) {
  const double most = std::min(0.9, throttled);
  const double least = most / std::max(1.0, std::ceil(cores));
  return {.saved_ns = step_ns * (most + least) / 2,
          .least_ns = step_ns * least,
          .most_ns = step_ns * most};
}

}  // namespace

CheckedFinding check_cpu_throttled(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const analysis::ResourceFacts& resources = facts.resources;
  if (!resources.cgroup_throttled_ratio ||
      *resources.cgroup_throttled_ratio < thresholds.throttled_ratio) {
    return std::nullopt;
  }
  const double throttled = std::min(1.0, *resources.cgroup_throttled_ratio);
  const double cores = usable_cores(facts);
  FindingBuilder finding("cpu-throttled", steady_window(facts));
  finding.confidence(0.8).headline("cpu_throttled.headline",
                                   Params{}.set("throttled_ratio", throttled).set("cores", cores));
  Params action = Params{}.set("cores", cores);
  set_known(action, "run_cores", resources.run_cpu_cores);
  finding.action("cpu_throttled.action", action);
  finding.evidence("cpu_throttled.evidence.throttled", Params{}.set("throttled_ratio", throttled));
  if (resources.run_cpu_cores) {
    finding.evidence("cpu_throttled.evidence.cores",
                     Params{}.set("run_cores", *resources.run_cpu_cores).set("cores", cores));
  }
  if (const std::optional<StepView> view = step_view(facts)) {
    const Prediction predicted = predict_saving(*view, lost_time(view->step_ns, throttled, cores));
    finding.step_gain(predicted.gain, view->steps_ratio).limit(predicted.widest);
  } else {
    finding.run_saved(lost_time(1.0, throttled, cores).saved_ns);
  }
  return finding.take();
}

}  // namespace latido::diagnosis
