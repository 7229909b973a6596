#include "diagnosis/compare.h"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "diagnosis/comparable.h"
#include "diagnosis/compare_loss.h"
#include "diagnosis/contention.h"
#include "diagnosis/finding_builder.h"
#include "diagnosis/prediction.h"
#include "diagnosis/run_to_run.h"
#include "diagnosis/tried_change.h"

namespace latido::diagnosis {
namespace {

using analysis::RankFacts;
using analysis::RunFacts;

// Mean over the ranks that have it; kNotMeasured when none has.
template <typename Value>
std::int64_t mean_over_ranks(const RunFacts& facts, Value value) {
  double sum = 0;
  int ranks = 0;
  for (const RankFacts& rank : facts.ranks) {
    const std::int64_t own = value(rank);
    if (rank.stats.count == 0 || own < 0) continue;
    sum += static_cast<double>(own);
    ++ranks;
  }
  return ranks == 0 ? model::kNotMeasured : std::llround(sum / ranks);
}

std::int64_t mean_step_ns(const RunFacts& facts) {
  const std::int64_t mean =
      mean_over_ranks(facts, [](const RankFacts& rank) { return rank.stats.mean_ns; });
  return mean < 0 ? 0 : mean;
}

double samples_per_s(const RunFacts& facts) {
  double sum = 0;
  for (const RankFacts& rank : facts.ranks) sum += rank.samples_per_s;
  return sum;
}

std::vector<double> phase_series(const RankFacts& rank, model::Phase phase) {
  std::vector<double> values;
  for (const model::Step& step : rank.steps) {
    if (!step.warmup() && step.phase(phase) >= 0) {
      values.push_back(static_cast<double>(step.phase(phase)));
    }
  }
  return values;
}

PhaseChange phase_change(const RunFacts& before, const RunFacts& after, model::Phase phase) {
  const auto mean_of = [phase](const RankFacts& rank) {
    return rank.phases[static_cast<std::size_t>(phase)].mean_ns;
  };
  PhaseChange change{.phase = phase,
                     .before_ns = mean_over_ranks(before, mean_of),
                     .after_ns = mean_over_ranks(after, mean_of)};
  const RankFacts* a = lead_rank(before);
  const RankFacts* b = lead_rank(after);
  if (a != nullptr && b != nullptr) {
    change.test = analysis::compare_means(phase_series(*a, phase), phase_series(*b, phase));
  }
  return change;
}

// More cores make runs incomparable, but for the prediction that was about more cores.
bool hinders_score(const model::Message& why, const model::Finding& finding) {
  return why.id != "compare.not_comparable.cores" || finding.rule != "cpu-compute-bound";
}

std::optional<PredictionScore> score(const model::Finding& finding, const RunFacts& before,
                                     const RunFacts& after, const Comparison& comparison) {
  const std::int64_t measured_ns = comparison.after_step_ns;
  const bool hindered =
      std::ranges::any_of(comparison.not_comparable,
                          [&](const model::Message& why) { return hinders_score(why, finding); });
  if (!finding.gain || measured_ns <= 0 || hindered) return std::nullopt;
  TriedChange change = tried_change(finding, before, after);
  PredictionScore result{.predicted = *finding.gain,
                         .measured_ns = measured_ns,
                         .tried = change.tried == Tried::kAsAsked,
                         .notes = std::move(change.notes)};
  if (result.tried && is_vague(*finding.gain)) {
    result.tried = false;
    result.notes.push_back(message(
        "compare.prediction.vague",
        model::Params{}.set("low_ns", finding.gain->low_ns).set("high_ns", finding.gain->high_ns)));
  }
  result.inside = measured_ns >= finding.gain->low_ns && measured_ns <= finding.gain->high_ns;
  result.off_ratio =
      static_cast<double>(finding.gain->step_after_ns) / static_cast<double>(measured_ns) - 1.0;
  return result;
}

// What makes times doubtful that noise alone does not.
struct Circumstances {
  bool before_contended = false;
  bool after_contended = false;
  bool nothing_changed = false;
};

Circumstances circumstances(const RunFacts& before, const RunFacts& after,
                            const CompareOptions& options, const Comparison& comparison) {
  const Thresholds thresholds;
  return {.before_contended = options.before_contended || contention(before, thresholds),
          .after_contended = options.after_contended || contention(after, thresholds),
          .nothing_changed = comparison.differs.empty() && !comparison.whole};
}

// `tells`: the steps differ by more than their noise.
std::vector<model::Message> cautions(const Circumstances& seen, bool tells) {
  std::vector<model::Message> found;
  if (seen.before_contended && seen.after_contended) {
    found.push_back(message("compare.caution.contended_both"));
  } else if (seen.before_contended) {
    found.push_back(message("compare.caution.contended_before"));
  } else if (seen.after_contended) {
    found.push_back(message("compare.caution.contended_after"));
  }
  if (seen.nothing_changed && tells) {
    found.push_back(message("compare.caution.nothing_changed",
                            model::Params{}.set("spread_ratio", kAgainRatio)));
  }
  return found;
}

RunToRun spread_of(const RunFacts& before, const RunFacts& after, const Circumstances& seen) {
  return run_to_run(seen.before_contended ? contention_cost(before) : 0,
                    seen.after_contended ? contention_cost(after) : 0, seen.nothing_changed);
}

// Returns whether the steps differed by more than their own noise.
bool allow_for(Comparison& comparison, const RunToRun& spread) {
  for (PhaseChange& change : comparison.phases) {
    if (change.test) change.test = widened(*change.test, spread);
  }
  if (!comparison.step) return false;
  const bool tells = comparison.step->more_than_noise;
  comparison.step = widened(*comparison.step, spread);
  return tells;
}

Outcome outcome_of(const Comparison& comparison, bool tells) {
  if (!comparison.not_comparable.empty() || !comparison.step) return Outcome::kCannotTell;
  if (!comparison.step->more_than_noise) {
    // Two runs are not the same because nothing can be seen in them. More than runs of one program are
    // taken to differ by themselves (run_to_run.h).
    constexpr double kAlike_ratio = 0.35;
    const bool alike = comparison.step->speedup_low >= 1 / (1 + kAlike_ratio) &&
                       comparison.step->speedup_high <= 1 + kAlike_ratio;
    return alike && !tells ? Outcome::kSame : Outcome::kCannotTell;
  }
  return comparison.step->speedup > 1 ? Outcome::kFaster : Outcome::kSlower;
}

}  // namespace

Comparison compare(const RunFacts& before, const RunFacts& after, const CompareOptions& options) {
  Comparison result;
  result.not_comparable = not_comparable(before, after, options.min_steps);
  result.differs = differences(before, after);
  result.before_step_ns = mean_step_ns(before);
  result.after_step_ns = mean_step_ns(after);
  result.before_wall_ns = before.run.wall_ns();
  result.after_wall_ns = after.run.wall_ns();
  result.before_samples_per_s = samples_per_s(before);
  result.after_samples_per_s = samples_per_s(after);
  for (const model::Phase phase : model::kPhases) {
    result.phases[static_cast<std::size_t>(phase)] = phase_change(before, after, phase);
  }
  const RankFacts* a = lead_rank(before);
  const RankFacts* b = lead_rank(after);
  if (a != nullptr && b != nullptr) {
    result.step = analysis::compare_steps(a->steps, b->steps);
    result.loss = compare_loss(*a, *b, options.loss_limit_ratio);
  }
  if (options.predicted) result.prediction = score(*options.predicted, before, after, result);
  result.whole = compare_whole(before, after);
  const Circumstances seen = circumstances(before, after, options, result);
  const bool tells = allow_for(result, spread_of(before, after, seen));
  result.cautions = cautions(seen, tells);
  result.outcome = outcome_of(result, tells);
  return result;
}

}  // namespace latido::diagnosis
