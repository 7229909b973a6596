// Rule checkpoint-heavy: saving the model takes a noticeable part of the run.
#include <optional>

#include "diagnosis/finding_builder.h"
#include "diagnosis/interruption.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {

using model::Params;

CheckedFinding check_checkpoint_heavy(const analysis::RunFacts& facts,
                                      const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  if (!view) return std::nullopt;
  const analysis::RunParts& parts = view->rank->parts;
  const Interruption found =
      interruption(*view, parts.checkpoint_ns, parts.checkpoints, model::OtherPart::kCheckpoint);
  if (found.run_ratio < thresholds.checkpoint_ratio) return std::nullopt;

  const Params times = Params{}.set("checkpoints", std::int64_t{found.all_times()});
  FindingBuilder finding("checkpoint-heavy", {facts.run.start_ns, facts.run.end_ns});
  finding.confidence(0.9)
      .headline("checkpoint_heavy.headline", Params{times}.set("checkpoint_ratio", found.run_ratio))
      .action("checkpoint_heavy.action", times);
  if (found.outside_ns > 0) {
    finding.evidence("checkpoint_heavy.evidence.time",
                     time_params(found, *view, "checkpoint_ns", "checkpoints"));
  }
  if (found.mean_in_step_ns > 0) {
    finding.evidence(
        "checkpoint_heavy.evidence.in_steps",
        Params{}
            .set("mean_ns", found.mean_in_step_ns)
            .set("step_ratio", static_cast<double>(found.mean_in_step_ns) / view->step_ns));
  }
  if (facts.resources.disk_busy_ratio) {
    Params disk = Params{}.set("disk_busy_ratio", *facts.resources.disk_busy_ratio);
    set_known(disk, "write_bytes_per_s", facts.resources.disk_write_bytes_per_s);
    finding.evidence("checkpoint_heavy.evidence.disk", disk);
  }
  // Half as often saves half.
  finding.run_saved(found.run_ratio / 2);
  return finding.take();
}

}  // namespace latido::diagnosis
