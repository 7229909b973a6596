// Rule other-heavy: much of a step is neither input nor computing: the script's own code between them.
#include <algorithm>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/hot_function.h"
#include "diagnosis/prediction.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using model::Params;

double other_ns(const StepView& view, model::OtherPart part) {
  const std::int64_t mean = view.rank->other_mean_ns[static_cast<std::size_t>(part)];
  return mean > 0 ? static_cast<double>(mean) : 0.0;
}

const analysis::NamedTime* largest_zone(const StepView& view) {
  const auto& zones = view.rank->zones;
  const auto it = std::ranges::max_element(zones, {}, &analysis::NamedTime::mean_per_step_ns);
  return it == zones.end() || it->mean_per_step_ns <= 0 ? nullptr : &*it;
}

Params place(const analysis::NamedTime& zone, Params params) {
  return params.set("zone", zone.name).set("file", zone.file).set("line", std::int64_t{zone.line});
}

// The zone that says what it is: then there is something to make faster. Null when most has no name.
const analysis::NamedTime* naming_zone(const StepView& view, double own_ns, double zones_ns) {
  return zones_ns < own_ns / 2 ? nullptr : largest_zone(view);
}

void add_words(FindingBuilder& finding, double own_ns, const StepView& view) {
  finding.headline(
      "other_heavy.headline",
      Params{}.set("other_ratio", own_ns / view.step_ns).set("other_ns", whole_ns(own_ns)));
  finding.action("other_heavy.action");
}

void add_zone_words(FindingBuilder& finding, double own_ns, const StepView& view,
                    const analysis::NamedTime& zone) {
  const double zone_ratio = static_cast<double>(zone.mean_per_step_ns) / view.step_ns;
  finding.headline(
      "other_heavy.headline_zone",
      place(zone,
            Params{}.set("other_ratio", own_ns / view.step_ns).set("zone_ratio", zone_ratio)));
  finding.action(view.rank->loader ? "other_heavy.action_zone" : "other_heavy.action_zone_alone",
                 place(zone, {}));
  finding.evidence("other_heavy.evidence.zone",
                   place(zone, Params{}
                                   .set("mean_ns", zone.mean_per_step_ns)
                                   .set("calls", static_cast<std::int64_t>(zone.calls))));
}

void add_function_words(FindingBuilder& finding, double own_ns, const StepView& view,
                        const HotFunction& hot) {
  finding.headline("other_heavy.headline_function", Params{}
                                                        .set("other_ratio", own_ns / view.step_ns)
                                                        .set("other_ns", whole_ns(own_ns))
                                                        .set("function", hot.function->name)
                                                        .set("ratio", hot.ratio));
  finding.action("other_heavy.action_function", place_of(hot));
}

}  // namespace

CheckedFinding check_other_heavy(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  if (!view) return std::nullopt;
  // Evaluation and checkpoints have rules of their own.
  const double zones_ns = other_ns(*view, model::OtherPart::kZones);
  const double unnamed_ns = other_ns(*view, model::OtherPart::kUnnamed);
  const double own_ns = zones_ns + unnamed_ns;
  if (own_ns < thresholds.other_ratio * view->step_ns) return std::nullopt;

  FindingBuilder finding("other-heavy", steady_window(facts));
  finding.confidence(0.6).evidence("other_heavy.evidence.parts",
                                   Params{}
                                       .set("unnamed_ns", whole_ns(unnamed_ns))
                                       .set("zones_ns", whole_ns(zones_ns))
                                       .set("step_ns", whole_ns(view->step_ns)));
  const analysis::NamedTime* zone = naming_zone(*view, own_ns, zones_ns);
  if (zone == nullptr) {
    const std::optional<HotFunction> hot = hot_function(facts, *view->rank);
    // What samples find most often is an answer only where it may be most of it.
    const bool is_answer = hot && hot->ratio >= own_ns / view->step_ns / 2;
    is_answer ? add_function_words(finding, own_ns, *view, *hot)
              : add_words(finding, own_ns, *view);
    add_evidence(finding, hot);
    // Naming makes nothing faster: no prediction, only its rank among the findings.
    finding.run_saved(own_ns / 2 / view->step_ns * view->steps_ratio);
    return finding.take();
  }
  add_zone_words(finding, own_ns, *view, *zone);
  // A zone may reach into phases; what is not other than them is not counted here.
  const double zone_ns = std::min(static_cast<double>(zone->mean_per_step_ns), zones_ns);
  const Prediction predicted = predict_saving(
      *view, {.saved_ns = zone_ns / 2, .least_ns = zone_ns * 0.1, .most_ns = zone_ns});
  finding.step_gain(predicted.gain, view->steps_ratio).limit(predicted.widest);
  return finding.take();
}

}  // namespace latido::diagnosis
