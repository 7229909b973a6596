// Rule evaluation-heavy: the training is measured so often, or so long, that it takes a large part of the run.
#include <algorithm>
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/interruption.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {

using model::Params;

namespace {

// Without a backward pass, forward passes without gradients are what the program is for.
bool trains(const analysis::RankFacts& rank) {
  return phase_ns(rank, model::Phase::kBackward) > 0 ||
         std::ranges::any_of(rank.steps,
                             [](const model::Step& step) { return step.backwards > 0; });
}

}  // namespace

CheckedFinding check_evaluation_heavy(const analysis::RunFacts& facts,
                                      const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  if (!view) return std::nullopt;
  const analysis::RunParts& parts = view->rank->parts;
  const Interruption found =
      interruption(*view, parts.evaluation_ns, parts.evaluations, model::OtherPart::kEvaluation);
  if (found.times == 0 || !trains(*view->rank)) return std::nullopt;
  if (found.run_ratio < thresholds.evaluation_ratio) return std::nullopt;

  const Params times = Params{}.set("evaluations", std::int64_t{found.all_times()});
  FindingBuilder finding("evaluation-heavy", {facts.run.start_ns, facts.run.end_ns});
  finding.confidence(0.9)
      .headline("evaluation_heavy.headline", Params{times}.set("evaluation_ratio", found.run_ratio))
      .action("evaluation_heavy.action", times);
  if (found.outside_ns > 0) {
    finding.evidence("evaluation_heavy.evidence.time",
                     time_params(found, *view, "evaluation_ns", "evaluations"));
  }
  if (found.mean_in_step_ns > 0) {
    finding.evidence(
        "evaluation_heavy.evidence.in_steps",
        Params{}
            .set("mean_ns", found.mean_in_step_ns)
            .set("step_ratio", static_cast<double>(found.mean_in_step_ns) / view->step_ns));
  }
  // Half as often saves half.
  finding.run_saved(found.run_ratio / 2);
  return finding.take();
}

}  // namespace latido::diagnosis
