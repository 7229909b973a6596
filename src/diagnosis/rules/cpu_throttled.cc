// Rule cpu-throttled: the container's CPU quota stops the program before its work is done.
#include <algorithm>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using model::Params;

// The kernel counts the periods (0.1 s each) in which the quota ran out. How much of such a period was
// left is not recorded: anything between a moment and most of it.
Saving lost_time(double step_ns, double throttled) {
  return {.saved_ns = step_ns * throttled * 0.35,
          .least_ns = step_ns * throttled * 0.05,
          .most_ns = step_ns * throttled * 0.70};
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
    const Prediction predicted = predict_saving(*view, lost_time(view->step_ns, throttled));
    finding.step_gain(predicted.gain, view->steps_ratio).limit(predicted.widest);
  } else {
    finding.run_saved(lost_time(1.0, throttled).saved_ns);
  }
  return finding.take();
}

}  // namespace latido::diagnosis
