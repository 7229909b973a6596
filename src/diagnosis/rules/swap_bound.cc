// Rule swap-bound: memory is too small, and what was moved to swap is needed again at once.
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

// Pages that only go out are pages that nobody needs: the harm is in faults that wait for the disk.
bool comes_back(const ResourceFacts& resources, const Thresholds& thresholds) {
  return resources.major_faults_per_s.value_or(0) >= thresholds.major_faults_per_s ||
         resources.psi_memory_full_ratio.value_or(0) >= thresholds.memory_stall_ratio;
}

void add_gain(FindingBuilder& finding, const analysis::RunFacts& facts) {
  const std::optional<double> stalled = facts.resources.psi_memory_full_ratio;
  if (!stalled || *stalled <= 0) return;
  const std::optional<StepView> view = step_view(facts);
  if (!view) {
    finding.run_saved(*stalled);
    return;
  }
  // Time in which everything stood still comes back; threads that waited alone may give more.
  const Prediction predicted =
      predict_saving(*view, {.saved_ns = view->step_ns * *stalled,
                             .least_ns = view->step_ns * *stalled / 2,
                             .most_ns = view->step_ns * std::min(0.95, *stalled * 2)});
  finding.step_gain(predicted.gain, view->steps_ratio);
  finding.limit(predicted.widest);
}

}  // namespace

CheckedFinding check_swap_bound(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const ResourceFacts& resources = facts.resources;
  const double in = resources.swap_in_bytes_per_s.value_or(0);
  const double out = resources.swap_out_bytes_per_s.value_or(0);
  if (in + out < thresholds.swap_bytes_per_s || !comes_back(resources, thresholds)) {
    return std::nullopt;
  }
  FindingBuilder finding("swap-bound", steady_window(facts));
  Params headline = Params{}.set("swap_bytes_per_s", in + out);
  set_known(headline, "stalled_ratio", resources.psi_memory_full_ratio);
  finding.confidence(0.8).headline("swap_bound.headline", headline);

  Params action;
  set_known(action, "rss_bytes", resources.run_rss_peak_bytes);
  set_known(action, "limit_bytes", resources.memory_limit_bytes);
  finding.action("swap_bound.action", action);

  Params swap = Params{}.set("swap_in_bytes_per_s", in).set("swap_out_bytes_per_s", out);
  set_known(swap, "major_faults_per_s", resources.major_faults_per_s);
  finding.evidence("swap_bound.evidence.swap", swap);
  Params memory;
  set_known(memory, "rss_bytes", resources.run_rss_peak_bytes);
  set_known(memory, "available_bytes", resources.memory_available_bytes);
  set_known(memory, "limit_bytes", resources.memory_limit_bytes);
  if (!memory.all.empty()) finding.evidence("swap_bound.evidence.memory", memory);
  add_gain(finding, facts);
  return finding.take();
}

}  // namespace latido::diagnosis
