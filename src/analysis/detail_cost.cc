#include "analysis/detail_cost.h"

#include <cmath>
#include <vector>

#include "analysis/block_bootstrap.h"
#include "model/run.h"

namespace latido::analysis {
namespace {

using model::Reduction;

// Steps in a row with the same detail.
struct Turn {
  Reduction reduction = Reduction::kNone;
  std::uint64_t steps = 0;
  double wall_ns = 0;

  double mean_ns() const noexcept { return wall_ns / static_cast<double>(steps); }
};

// A turn's first step pays for the change: it is left out.
std::vector<Turn> turns_of(std::span<const model::Step> steps) {
  std::vector<Turn> turns;
  bool begun = false;
  for (const model::Step& step : steps) {
    if (step.warmup()) continue;
    const auto reduction = static_cast<Reduction>(step.reduction());
    if (!begun || turns.back().reduction != reduction) {
      if (begun && turns.back().steps == 0) turns.pop_back();
      turns.push_back({.reduction = reduction});
      begun = true;
      continue;
    }
    ++turns.back().steps;
    turns.back().wall_ns += static_cast<double>(step.wall_ns);
  }
  if (begun && turns.back().steps == 0) turns.pop_back();
  return turns;
}

}  // namespace

std::optional<DetailCost> detail_cost(std::span<const model::Step> steps) {
  const std::vector<Turn> turns = turns_of(steps);
  std::vector<double> ratios;
  for (std::size_t i = 1; i < turns.size(); ++i) {
    const Turn& a = turns[i - 1];
    const Turn& b = turns[i];
    const bool b_is_on = b.reduction == Reduction::kNone && a.reduction == Reduction::kStepsOnly;
    const bool a_is_on = a.reduction == Reduction::kNone && b.reduction == Reduction::kStepsOnly;
    if (!a_is_on && !b_is_on) continue;
    const double log_ratio = std::log(b.mean_ns() / a.mean_ns());
    if (std::isfinite(log_ratio)) ratios.push_back(b_is_on ? log_ratio : -log_ratio);
  }
  if (ratios.size() < kFewestTurns) return std::nullopt;
  const MeanInterval interval = mean_interval(ratios, {.confidence = 0.95});
  return DetailCost{.ratio = std::expm1(interval.mean),
                    .low_ratio = std::expm1(interval.mean - interval.half_width),
                    .high_ratio = std::expm1(interval.mean + interval.half_width),
                    .turns = ratios.size()};
}

}  // namespace latido::analysis
