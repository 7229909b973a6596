// Rule one-core-bound: all the computing runs on one core while others stand idle.
#include <algorithm>
#include <cmath>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/hot_function.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::ResourceFacts;
using model::Params;

bool is_one_core(double busy_cores, const Thresholds& thresholds) {
  return busy_cores >= thresholds.one_core_min_cores && busy_cores <= thresholds.one_core_cores;
}

// Cores that the work could spread to, its own included.
double cores_to_use(double idle) { return std::floor(1.0 + idle + 0.25); }

void add_cores(FindingBuilder& finding, const analysis::RunFacts& facts, double own_cores) {
  finding.evidence("one_core_bound.evidence.cores", Params{}
                                                        .set("main_cores", own_cores)
                                                        .set("busy_cores", *busy_cores(facts))
                                                        .set("cores", usable_cores(facts)));
}

CheckedFinding check_steps(const analysis::RunFacts& facts, const Thresholds& thresholds,
                           const StepView& view, double idle) {
  const std::optional<double> own_cores = facts.resources.main_cpu_cores;
  if (!own_cores || !is_one_core(*own_cores, thresholds) || !computes_on_host(view) ||
      view.compute_ratio() < thresholds.one_core_compute_ratio ||
      view.compute_ns < thresholds.one_core_step_ns) {
    return std::nullopt;
  }
  const double threads = cores_to_use(idle);
  FindingBuilder finding("one-core-bound", steady_window(facts));
  finding.confidence(0.5)
      .headline("one_core_bound.headline", Params{}
                                               .set("main_cores", *own_cores)
                                               .set("idle_cores", idle)
                                               .set("cores", usable_cores(facts))
                                               .set("compute_ratio", view.compute_ratio()))
      .action("one_core_bound.action",
              Params{}.set("threads_after", static_cast<std::int64_t>(threads)));
  add_cores(finding, facts, *own_cores);
  finding.evidence(
      "one_core_bound.evidence.compute",
      Params{}.set("compute_ns", whole_ns(view.compute_ns)).set("step_ns", whole_ns(view.step_ns)));
  // Nobody knows how much of it can be shared before it was tried: half, between nothing and all.
  const double all = view.compute_ns * (1.0 - 1.0 / threads);
  const Prediction predicted =
      predict_saving(view, {.saved_ns = all / 2, .least_ns = 0, .most_ns = all});
  finding.step_gain(predicted.gain, view.steps_ratio);
  finding.limit(message("one_core_bound.limit.small_operations")).limit(predicted.widest);
  return finding.take();
}

const analysis::NamedTime* largest_zone(const analysis::RunFacts& facts) {
  const analysis::NamedTime* largest = nullptr;
  for (const analysis::RankFacts& rank : facts.ranks) {
    for (const analysis::NamedTime& zone : rank.zones) {
      if (largest == nullptr || zone.self_ns > largest->self_ns) largest = &zone;
    }
  }
  return largest;
}

CheckedFinding check_program(const analysis::RunFacts& facts, const Thresholds& thresholds,
                             double idle) {
  const ResourceFacts& resources = facts.resources;
  if (!resources.run_cpu_cores || !is_one_core(*resources.run_cpu_cores, thresholds) ||
      static_cast<double>(facts.run.wall_ns()) < thresholds.one_core_wall_ns) {
    return std::nullopt;
  }
  const double processes = cores_to_use(idle);
  FindingBuilder finding("one-core-bound", steady_window(facts));
  finding.confidence(0.6)
      .headline("one_core_bound.headline_no_steps", Params{}
                                                        .set("main_cores", *resources.run_cpu_cores)
                                                        .set("idle_cores", idle)
                                                        .set("cores", usable_cores(facts)))
      .action("one_core_bound.action_no_steps",
              Params{}.set("processes_after", static_cast<std::int64_t>(processes)));
  add_cores(finding, facts, *resources.run_cpu_cores);
  if (const analysis::NamedTime* zone = largest_zone(facts)) {
    finding.evidence("one_core_bound.evidence.zone", Params{}
                                                         .set("zone", zone->name)
                                                         .set("self_ns", zone->self_ns)
                                                         .set("file", zone->file)
                                                         .set("line", std::int64_t{zone->line}));
  }
  if (!facts.ranks.empty()) add_evidence(finding, hot_function(facts, facts.ranks.front()));
  if (resources.disk_busy_ratio && *resources.disk_busy_ratio < thresholds.disk_busy_ratio / 2) {
    finding.evidence("one_core_bound.evidence.disk_not_cause",
                     Params{}.set("disk_busy_ratio", *resources.disk_busy_ratio));
  }
  finding.run_saved((1.0 - 1.0 / processes) / 2);
  return finding.take();
}

}  // namespace

CheckedFinding check_one_core_bound(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<double> idle = idle_cores(facts);
  if (!idle || *idle < thresholds.one_core_idle_cores) return std::nullopt;
  const std::optional<StepView> view = step_view(facts);
  return view ? check_steps(facts, thresholds, *view, *idle)
              : check_program(facts, thresholds, *idle);
}

}  // namespace latido::diagnosis
