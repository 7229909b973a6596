#include "analysis/step_comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "analysis/summary.h"

namespace latido::analysis {
namespace {

constexpr std::size_t kFewestValues = 4;

// One side: how to resample its mean, and what its variance rests on.
struct Side {
  explicit Side(std::span<const double> values, const BootstrapOptions& options)
      : resampler(condense(values, options.condense_to)) {}

  double degrees() const noexcept {
    return std::max(1.0, static_cast<double>(resampler.blocks()) - 1);
  }
  // Resampling from n blocks underestimates the variance by (n − 1) / n.
  double correction() const noexcept { return 1 + 1 / degrees(); }

  MeanResampler resampler;
  double sum_of_squares = 0;  // of the resampled means around the mean
};

std::vector<double> steady_walls(std::span<const model::Step> steps,
                                 std::optional<std::uint8_t> reduction) {
  std::vector<double> walls;
  for (const model::Step& step : steps) {
    // Those looked at layer by layer are slower.
    if (step.warmup() || step.sampled()) continue;
    if (reduction && step.reduction() != *reduction) continue;
    walls.push_back(static_cast<double>(step.wall_ns));
  }
  return walls;
}

// Steps that were recorded with less detail cost less: like is compared with like where both sides have
// some. Empty: all with all.
std::optional<std::uint8_t> common_reduction(std::span<const model::Step> before,
                                             std::span<const model::Step> after) {
  std::array<std::array<std::size_t, 4>, 2> counts{};
  for (const model::Step& step : before) counts[0][step.reduction()] += step.warmup() ? 0 : 1;
  for (const model::Step& step : after) counts[1][step.reduction()] += step.warmup() ? 0 : 1;
  std::optional<std::uint8_t> best;
  std::size_t most = kFewestValues - 1;
  for (std::uint8_t i = 0; i < 4; ++i) {
    const std::size_t both = std::min(counts[0][i], counts[1][i]);
    if (both <= most) continue;
    most = both;
    best = i;
  }
  return best;
}

// Welch and Satterthwaite.
double joint_degrees(double variance_a, double degrees_a, double variance_b, double degrees_b) {
  const double sum = variance_a + variance_b;
  const double parts = variance_a * variance_a / degrees_a + variance_b * variance_b / degrees_b;
  return parts > 0 ? sum * sum / parts : degrees_a + degrees_b;
}

}  // namespace

std::optional<StepComparison> compare_means(std::span<const double> before,
                                            std::span<const double> after,
                                            const BootstrapOptions& options) {
  if (std::min(before.size(), after.size()) < kFewestValues) return std::nullopt;
  StepComparison result{.before_count = before.size(), .after_count = after.size()};
  result.before_mean = mean(before);
  result.after_mean = mean(after);
  if (!(result.before_mean > 0) || !(result.after_mean > 0)) return std::nullopt;
  result.difference = result.after_mean - result.before_mean;
  result.speedup = result.before_mean / result.after_mean;

  Side a(before, options);
  Side b(after, options);
  Random random(options.seed);
  double log_squares = 0;  // of the resampled speed-ups
  for (std::size_t i = 0; i < options.resamples; ++i) {
    const double mean_a = a.resampler.draw(random);
    const double mean_b = b.resampler.draw(random);
    a.sum_of_squares += std::pow(mean_a - a.resampler.mean(), 2);
    b.sum_of_squares += std::pow(mean_b - b.resampler.mean(), 2);
    if (mean_a <= 0 || mean_b <= 0) continue;
    log_squares +=
        std::pow(std::log(mean_a / a.resampler.mean()) - std::log(mean_b / b.resampler.mean()), 2);
  }
  const double draws = static_cast<double>(std::max<std::size_t>(options.resamples, 1));
  const double variance_a = a.sum_of_squares / draws * a.correction();
  const double variance_b = b.sum_of_squares / draws * b.correction();
  const double degrees = joint_degrees(variance_a, a.degrees(), variance_b, b.degrees());
  const double factor = student_t(options.confidence, degrees);

  const double half_width = factor * std::sqrt(variance_a + variance_b);
  result.difference_low = result.difference - half_width;
  result.difference_high = result.difference + half_width;
  const double log_error =
      std::sqrt(log_squares / draws * std::max(a.correction(), b.correction()));
  result.speedup_low = result.speedup * std::exp(-factor * log_error);
  result.speedup_high = result.speedup * std::exp(factor * log_error);
  result.detectable_ratio = std::expm1(factor * log_error);
  const double log_speedup = std::abs(std::log(result.speedup));
  if (log_error > 0) {
    result.p_value = student_t_tail(log_speedup / log_error, degrees);
  } else {
    result.p_value = log_speedup > 0 ? 0 : 1;
  }
  result.more_than_noise = result.p_value < 1 - options.confidence;
  return result;
}

std::optional<StepComparison> compare_steps(std::span<const model::Step> before,
                                            std::span<const model::Step> after) {
  const std::optional<std::uint8_t> reduction = common_reduction(before, after);
  return compare_means(steady_walls(before, reduction), steady_walls(after, reduction));
}

}  // namespace latido::analysis
