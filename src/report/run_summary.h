// Figures that every renderer shows and RunFacts does not hold ready: over all ranks, or as ratios.
//
// Pure, cheap next to rendering. Nothing here decides what is wrong with a run: that is diagnosis.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "model/step.h"

namespace latido::report {

struct PhaseRow {
  model::Phase phase{};
  std::int64_t mean_ns = model::kNotMeasured;
  double ratio = 0;    // of the mean step
  std::string reason;  // why it was not measured
};

// What "other" is made of, largest first. Either a part of model::OtherPart or one zone of the
// user's.
struct OtherRow {
  std::string part;  // model::OtherPart text; empty for a zone
  std::string zone;
  std::int64_t mean_ns = 0;
};

// Steady steps of all ranks. Means are weighted by steps; percentiles are of all steps together.
struct StepSummary {
  std::uint64_t count = 0;  // of the rank with most
  std::int64_t mean_ns = 0;
  std::int64_t p50_ns = 0;
  std::int64_t p95_ns = 0;
  std::int64_t p99_ns = 0;
  std::array<PhaseRow, model::kPhaseCount> phases{};
  std::vector<OtherRow> other;
};
// Empty when no rank has a steady step.
std::optional<StepSummary> summarise_steps(const analysis::RunFacts& facts);

struct LossChange {
  double first = 0;  // mean of the first twentieth of the points
  double last = 0;
  std::uint64_t not_finite = 0;  // points that are NaN or infinite
};
std::optional<LossChange> loss_change(const analysis::RankFacts& rank);

// Mean backward calls in a steady step: above 1 with gradient accumulation. 0: none was seen.
double backwards_per_step(const analysis::RankFacts& rank);

double samples_per_s(const analysis::RunFacts& facts);  // of all ranks; 0: unknown

// Largest relative gap between a step and its phases, or the run and its parts. Empty: no steps.
std::optional<double> sums_gap_ratio(const analysis::RunFacts& facts);

// The rank that speaks for the run where only one can: the lowest that has steps, else the lowest,
// else the first. Null: no ranks.
const analysis::RankFacts* lead_rank(const analysis::RunFacts& facts);

// Whether the program ended in a way that somebody must look into.
bool ended_badly(const model::RunEnd& end) noexcept;

// What of the run a verdict is about. One that was killed may have been on its way to its trouble.
enum class VerdictScope : std::uint8_t {
  kWholeRun,
  kUntilFailed,  // it ended by an exception or another code than 0
  kUntilKilled,  // by a signal
  kSoFar,        // no end was recorded
};
VerdictScope verdict_scope(const model::RunEnd& end) noexcept;
std::string_view to_text(VerdictScope scope) noexcept;  // "run", "until_failed", …: the key in JSON

// What a gain means for the whole run: the same steps at the predicted time.
struct RunGain {
  double factor = 1;  // how many times faster
  std::int64_t wall_before_ns = 0;
  std::int64_t wall_after_ns = 0;
  double samples_before_per_s = 0;  // 0: unknown
  double samples_after_per_s = 0;
};
RunGain run_gain(const analysis::RunFacts& facts, const model::Gain& gain);

// Data lost or budget exceeded: TRUST is then shown first.
bool trust_is_damaged(const analysis::RunFacts& facts, double budget_ratio) noexcept;

// So short that what recording costs at its start cannot be told from what it costs.
bool is_short(const analysis::RunFacts& facts) noexcept;

// "SIGKILL" for 9; "signal 63" for those without a common name.
std::string signal_name(std::int32_t signal);

}  // namespace latido::report
