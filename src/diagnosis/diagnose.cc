#include "diagnosis/diagnose.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "diagnosis/contention.h"
#include "diagnosis/finding_builder.h"
#include "diagnosis/hot_function.h"
#include "diagnosis/rule.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using model::Finding;
using model::Params;

constexpr double kProvisionalConfidence = 0.5;

enum class Known { kNoSteps, kTooFewSteps, kProvisional, kEnough };

bool ever_steps(const analysis::RunFacts& facts) {
  return std::ranges::any_of(facts.ranks,
                             [](const analysis::RankFacts& rank) { return !rank.steps.empty(); });
}

Known how_much_is_known(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const auto steps = static_cast<double>(steady_steps(facts));
  if (steps >= thresholds.min_steady_steps) return Known::kEnough;
  const std::optional<StepView> view = step_view(facts);
  if (view && steps >= thresholds.provisional_steps && view->step_ns >= thresholds.long_step_ns) {
    return Known::kProvisional;
  }
  if (view || ever_steps(facts)) return Known::kTooFewSteps;
  const bool may_yet_step = facts.run.end.kind == model::EndKind::kRunning &&
                            static_cast<double>(facts.run.wall_ns()) < thresholds.no_steps_wall_ns;
  return may_yet_step ? Known::kTooFewSteps : Known::kNoSteps;
}

// Savings of a step are held against the noise of its mean, those of the run against what is worth
// it.
bool stands_out(const Finding& finding, const std::optional<StepView>& view,
                const Thresholds& thresholds) {
  const double half_width_ns = view ? view->half_width_ns : 0;
  // A gain too vague to be promised is one of the step all the same.
  const bool vague = std::ranges::find(finding.limits, "interval.up_to", &model::Message::id) !=
                     finding.limits.end();
  if (vague && view && view->steps_ratio > 0) {
    const double saved_ratio = finding.run_saved_ratio / view->steps_ratio;
    return saved_ratio * view->step_ns > thresholds.noise_half_widths * half_width_ns &&
           saved_ratio >= thresholds.min_gain_ratio;
  }
  if (!finding.gain) {
    return finding.run_saved_ratio == 0 || finding.run_saved_ratio >= thresholds.min_gain_ratio;
  }
  const auto saved = static_cast<double>(finding.gain->saved_ns());
  const auto before = static_cast<double>(finding.gain->step_before_ns);
  // The most that it may save: on a noisy machine a bottleneck is no less one for a fix that may fail.
  const auto most = static_cast<double>(finding.gain->step_before_ns - finding.gain->low_ns);
  return most > thresholds.noise_half_widths * half_width_ns &&
         saved >= thresholds.min_gain_ratio * before;
}

bool is_explained(const Finding& finding, const std::vector<Finding>& all) {
  return std::ranges::any_of(explanations(), [&](const Explains& explains) {
    return explains.effect == finding.rule &&
           std::ranges::find(all, explains.cause, &Finding::rule) != all.end();
  });
}

std::vector<Finding> findings_of(const analysis::RunFacts& facts, const Thresholds& thresholds,
                                 Known known) {
  const std::optional<StepView> view = step_view(facts);
  std::vector<Finding> all;
  for (const Rule& rule : all_rules()) {
    if (rule.needs_steps && known == Known::kNoSteps) continue;
    std::optional<Finding> finding = rule.check(facts, thresholds);
    if (!finding || !stands_out(*finding, view, thresholds)) continue;
    if (known == Known::kProvisional) {
      finding->confidence = std::min(finding->confidence, kProvisionalConfidence);
    }
    all.push_back(*std::move(finding));
  }
  std::vector<Finding> kept;
  std::ranges::copy_if(all, std::back_inserter(kept),
                       [&](const Finding& finding) { return !is_explained(finding, all); });
  // By what is expected to be saved: a large saving that is a guess goes behind a sure one.
  const auto expected = [](const Finding& finding) {
    return finding.run_saved_ratio * finding.confidence;
  };
  std::ranges::stable_sort(kept, std::ranges::greater{}, expected);
  return kept;
}

struct Part {
  std::string_view name;
  double ns;
};

Part largest_part(const StepView& view) {
  const Part parts[] = {{"compute", view.compute_ns},
                        {"data_wait", view.wait_ns},
                        {"h2d", phase_ns(*view.rank, model::Phase::kH2d)},
                        {"comm_wait", phase_ns(*view.rank, model::Phase::kCommWait)},
                        {"other", phase_ns(*view.rank, model::Phase::kOther)}};
  return *std::ranges::max_element(parts, {}, &Part::ns);
}

// What would hold the run back next, in a word of kNextLimits.
std::string_view next_limit(const analysis::RunFacts& facts, std::string_view part,
                            const Thresholds& thresholds) {
  if (part == "data_wait") return "data_wait";
  if (part == "comm_wait") return "communication";
  if (part == "other") return "python";
  if (part != "compute") return "unknown";
  const analysis::ResourceFacts& resources = facts.resources;
  const double cores = usable_cores(facts);
  if (cores_full(facts, thresholds.cores_full_ratio)) return "cores";
  if (resources.main_cpu_cores && *resources.main_cpu_cores <= thresholds.one_core_cores &&
      cores > thresholds.one_core_cores) {
    return "one_core";
  }
  return "arithmetic";
}

model::Message healthy(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  const Part part = largest_part(*view);
  return message("verdict.healthy",
                 Params{}
                     .set("part", std::string(part.name))
                     .set("part_ratio", part.ns / view->step_ns)
                     .set("limit", std::string(next_limit(facts, part.name, thresholds))));
}

// A few steps that take most of the time are a trouble, even one that no rule can name.
bool uneven(const StepView& view, const Thresholds& thresholds) {
  const analysis::StepStats& stats = view.rank->stats;
  return static_cast<double>(stats.p95_ns) >
         thresholds.uneven_steps_ratio * static_cast<double>(stats.p50_ns);
}

model::Message uneven_steps(const StepView& view) {
  return message(
      "verdict.uneven",
      Params{}.set("p50_ns", view.rank->stats.p50_ns).set("p95_ns", view.rank->stats.p95_ns));
}

model::Message no_steps(const analysis::RunFacts& facts) {
  if (!facts.resources.cpu_busy_cores && !facts.resources.run_cpu_cores) {
    return message("verdict.no_steps");
  }
  Params params = Params{}.set("wall_ns", facts.run.wall_ns()).set("cores", usable_cores(facts));
  set_known(params, "busy_cores", facts.resources.run_cpu_cores);
  constexpr double kMuch_ratio = 0.3;
  const auto hot = facts.ranks.empty() ? std::nullopt : hot_function(facts, facts.ranks.front());
  if (hot && hot->ratio >= kMuch_ratio) {
    params.set("function", hot->function->name).set("ratio", hot->ratio);
    params.set("file", hot->function->file);
    if (hot->function->line > 0) params.set("line", std::int64_t{hot->function->line});
    return message("verdict.no_steps_function", params);
  }
  return message("verdict.healthy_no_steps", params);
}

model::Message too_few_steps(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::uint64_t steady = steady_steps(facts);
  const auto needed = static_cast<std::int64_t>(thresholds.min_steady_steps);
  std::size_t steps = 0;
  for (const analysis::RankFacts& rank : facts.ranks) steps = std::max(steps, rank.steps.size());
  if (steady > 0 || steps == 0) {
    return message("verdict.cannot_tell",
                   Params{}.set("steps", static_cast<std::int64_t>(steady)).set("needed", needed));
  }
  return message("verdict.warming_up",
                 Params{}.set("steps", static_cast<std::int64_t>(steps)).set("needed", needed));
}

// Whatever the verdict is, it was measured beside others.
void add_contention(model::Diagnosis& diagnosis, const analysis::RunFacts& facts,
                    const Thresholds& thresholds) {
  const std::optional<Contention> others = contention(facts, thresholds);
  if (!others) return;
  const Window window = steady_window(facts);
  for (Finding& finding : diagnosis.findings) {
    if (finding.rule == "cpu-contended") continue;
    finding.evidence.push_back(
        {.message = message(
             "cpu_contended.evidence.others",
             Params{}.set("foreign_cores", others->foreign_cores).set("cores", others->cores)),
         .start_ns = window.start_ns,
         .end_ns = window.end_ns});
  }
  if (diagnosis.findings.empty()) {
    diagnosis.headline.params.set("foreign_cores", others->foreign_cores);
  }
}

}  // namespace

model::Diagnosis diagnose(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const Known known = how_much_is_known(facts, thresholds);
  if (known == Known::kTooFewSteps) {
    return {.verdict = "cannot-tell", .headline = too_few_steps(facts, thresholds), .findings = {}};
  }
  model::Diagnosis diagnosis{
      .verdict = {}, .headline = {}, .findings = findings_of(facts, thresholds, known)};
  if (!diagnosis.findings.empty()) {
    diagnosis.verdict = diagnosis.findings.front().rule;
    diagnosis.headline = diagnosis.findings.front().headline;
  } else if (known == Known::kNoSteps) {
    diagnosis.verdict = "no-steps";
    diagnosis.headline = no_steps(facts);
  } else if (const std::optional<StepView> view = step_view(facts); uneven(*view, thresholds)) {
    diagnosis.verdict = "cannot-tell";
    diagnosis.headline = uneven_steps(*view);
  } else {
    diagnosis.verdict = "healthy";
    diagnosis.headline = healthy(facts, thresholds);
  }
  add_contention(diagnosis, facts, thresholds);
  return diagnosis;
}

}  // namespace latido::diagnosis
