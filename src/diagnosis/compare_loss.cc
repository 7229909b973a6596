#include "diagnosis/compare_loss.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "analysis/block_bootstrap.h"

namespace latido::diagnosis {
namespace {

using analysis::RankFacts;

constexpr std::size_t kBins = 40;
constexpr std::size_t kFewestBins = 8;

// Samples that one step sees; 1 when unknown, so that steps are compared instead.
double samples_per_step(const RankFacts& rank) {
  double samples = 0;
  double steps = 0;
  for (const model::Step& step : rank.steps) {
    if (step.samples == 0) continue;
    samples += step.samples;
    ++steps;
  }
  return steps > 0 ? samples / steps : 1.0;
}

struct Scale {
  double before = 1;
  double after = 1;
};

Scale scale_of(const RankFacts& before, const RankFacts& after) {
  const Scale scale{samples_per_step(before), samples_per_step(after)};
  // Steps of one run and samples of the other are no common measure.
  return scale.before > 1 && scale.after > 1 ? scale : Scale{};
}

double last_sample(const RankFacts& rank, double scale) {
  return static_cast<double>(rank.loss.back().step + 1) * scale;
}

struct Bin {
  double sum = 0;
  int points = 0;
};
using Bins = std::array<Bin, kBins>;

// Means over equal stretches between the samples `from` and `to`.
Bins bins_of(const RankFacts& rank, double scale, double from, double to) {
  Bins bins;
  for (const analysis::SeriesPoint& point : rank.loss) {
    if (!std::isfinite(point.value)) continue;
    const double at = (static_cast<double>(point.step) + 0.5) * scale;
    if (at < from || at >= to) continue;
    const auto i = static_cast<std::size_t>((at - from) / (to - from) * kBins);
    Bin& bin = bins[std::min(i, kBins - 1)];
    bin.sum += point.value;
    ++bin.points;
  }
  return bins;
}

LossOutcome outcome_of(const LossComparison& loss) {
  if (loss.low_ratio >= -loss.limit_ratio && loss.high_ratio <= loss.limit_ratio) {
    return LossOutcome::kSame;
  }
  if (loss.low_ratio > loss.limit_ratio || loss.high_ratio < -loss.limit_ratio) {
    return LossOutcome::kDifferent;
  }
  return LossOutcome::kCannotTell;
}

}  // namespace

std::optional<LossComparison> compare_loss(const RankFacts& before, const RankFacts& after,
                                           double limit_ratio) {
  if (before.loss.empty() || after.loss.empty()) return std::nullopt;
  const Scale scale = scale_of(before, after);
  const double common =
      std::min(last_sample(before, scale.before), last_sample(after, scale.after));
  const Bins a = bins_of(before, scale.before, common / 2, common);
  const Bins b = bins_of(after, scale.after, common / 2, common);
  // In pairs, so that the fall of the loss over the range does not count as noise.
  std::vector<double> pairs;
  LossComparison loss{.limit_ratio = limit_ratio};
  for (std::size_t i = 0; i < kBins; ++i) {
    if (a[i].points == 0 || b[i].points == 0) continue;
    const double here = a[i].sum / a[i].points;
    const double there = b[i].sum / b[i].points;
    pairs.push_back(there - here);
    loss.before += here;
    loss.after += there;
  }
  if (pairs.size() < kFewestBins) return std::nullopt;
  const auto count = static_cast<double>(pairs.size());
  loss.before /= count;
  loss.after /= count;
  if (loss.before == 0) return std::nullopt;
  const auto interval = analysis::mean_interval(pairs, {.confidence = 0.95, .resamples = 2000});
  const double size = std::abs(loss.before);
  loss.difference_ratio = interval.mean / size;
  loss.low_ratio = (interval.mean - interval.half_width) / size;
  loss.high_ratio = (interval.mean + interval.half_width) / size;
  loss.outcome = outcome_of(loss);
  return loss;
}

}  // namespace latido::diagnosis
