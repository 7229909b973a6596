// compare: two runs beside each other: did it get faster, where, as predicted, and learns it the same?
//
// Called by `latido diff`. Values only; report makes the sentences. Pure and seeded: the same two runs
// always compare the same.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/run_facts.h"
#include "analysis/step_comparison.h"
#include "diagnosis/compare_whole.h"
#include "model/finding.h"
#include "model/step.h"

namespace latido::diagnosis {

enum class Outcome : std::uint8_t {
  kFaster,  // the steps of `after` take less time, by more than noise
  kSlower,  // more, by more than noise
  kSame,  // no difference that stands out from the noise, and none of more than a third may be there
  // Not comparable, or too few steps: `not_comparable` says why. Or no more than others' use of the cores,
  // or just running it again, may come to: `cautions` say so.
  kCannotTell,
};

// Of the means over steady steps; over all ranks that step. model::kNotMeasured where a run did not
// measure it.
struct PhaseChange {
  model::Phase phase{};
  std::int64_t before_ns = model::kNotMeasured;
  std::int64_t after_ns = model::kNotMeasured;
  // Of the lead rank's steps; empty where a side has no time in this phase.
  std::optional<analysis::StepComparison> test{};

  bool both_measured() const noexcept { return before_ns >= 0 && after_ns >= 0; }
};

// What the `before` run's finding promised, held against the step that came.
struct PredictionScore {
  model::Gain predicted;
  std::int64_t measured_ns = 0;
  // The change that it was for is seen in the `after` run, and it is precise enough to be wrong. Else
  // `inside` and `off_ratio` have no meaning, and `notes` ("compare.prediction.…") say why.
  bool tried = false;
  bool inside = false;   // measured_ns lies in [low_ns, high_ns]
  double off_ratio = 0;  // predicted ÷ measured − 1
  std::vector<model::Message> notes;
};

enum class LossOutcome : std::uint8_t { kSame, kDifferent, kCannotTell };

// Mean loss over the last half of the samples that both runs have seen. Ratios are of the loss before.
struct LossComparison {
  double before = 0;
  double after = 0;
  double difference_ratio = 0;
  double low_ratio = 0;  // 95 % interval
  double high_ratio = 0;
  double limit_ratio = 0;
  LossOutcome outcome = LossOutcome::kCannotTell;
};

struct Comparison {
  Outcome outcome = Outcome::kCannotTell;
  std::vector<model::Message> not_comparable;  // "compare.not_comparable.…"; empty: comparable
  std::vector<model::Message> differs;         // "compare.differs.…": what else is not the same
  std::int64_t before_step_ns = 0;             // mean steady step, over ranks; 0: no steps
  std::int64_t after_step_ns = 0;
  std::int64_t before_wall_ns = 0;  // of the runs
  std::int64_t after_wall_ns = 0;
  double before_samples_per_s = 0;  // over all ranks; 0: unknown
  double after_samples_per_s = 0;
  // Of the lead rank's steady steps: speed-up with 95 % interval, p, smallest change that could be told; all
  // of them with what run_to_run.h allows for, as are those of the phases.
  std::optional<analysis::StepComparison> step;
  std::array<PhaseChange, model::kPhaseCount> phases;
  // Empty without a prediction, and where the runs are not comparable for another reason than its change.
  std::optional<PredictionScore> prediction;
  std::optional<LossComparison> loss;    // empty when a run has no loss
  std::optional<WholeComparison> whole;  // only of two runs without steady steps
  std::vector<model::Message> cautions;  // "compare.caution.…": what makes the times doubtful
};

struct CompareOptions {
  // The finding stored with the `before` run whose prediction is to be scored, usually its first.
  std::optional<model::Finding> predicted{};
  std::uint64_t min_steps = 20;  // steady ones, on each side
  double loss_limit_ratio = 0.02;
  // A finding says that something else took the run's cores; else they are looked at here.
  bool before_contended = false;
  bool after_contended = false;
};

Comparison compare(const analysis::RunFacts& before, const analysis::RunFacts& after,
                   const CompareOptions& options = {});

}  // namespace latido::diagnosis
