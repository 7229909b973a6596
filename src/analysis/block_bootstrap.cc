#include "analysis/block_bootstrap.h"

#include <algorithm>
#include <cmath>

#include "analysis/summary.h"

namespace latido::analysis {
namespace {

// Autocovariance at `lag` of values with mean 0.
double autocovariance(std::span<const double> centred, std::size_t lag) noexcept {
  double sum = 0;
  for (std::size_t i = lag; i < centred.size(); ++i) sum += centred[i] * centred[i - lag];
  return sum / static_cast<double>(centred.size());
}

// The lag from which on the autocorrelation is negligible: several in a row below the noise.
std::size_t negligible_lag(const std::vector<double>& covariance, std::size_t n) noexcept {
  const double log_n = std::log10(static_cast<double>(n));
  const auto in_a_row = std::max<std::size_t>(5, static_cast<std::size_t>(std::sqrt(log_n)));
  const double limit = 2 * std::sqrt(log_n / static_cast<double>(n)) * covariance[0];
  std::size_t small = 0;
  for (std::size_t lag = 1; lag < covariance.size(); ++lag) {
    small = std::abs(covariance[lag]) < limit ? small + 1 : 0;
    if (small >= in_a_row) return lag - in_a_row;
  }
  return covariance.size() - 1;
}

constexpr std::size_t kFewest = 8;

// The length that errs least in the variance is too short for an interval, which then holds the truth
// too rarely: with this factor it holds it as often as it says, nearly (block_bootstrap_test.cc).
constexpr double kWider = 1.5;

// In a short series the autocorrelation drowns in its own noise: it cannot argue for shorter blocks
// than the cube root.
std::size_t clamp_length(double length, std::size_t n) noexcept {
  const double least = std::cbrt(static_cast<double>(n));
  return std::min(static_cast<std::size_t>(std::ceil(std::max(length, least))), n / 4);
}

// 1 up to half the bandwidth, then falling to 0.
double flat_top(double share) noexcept { return std::clamp(2 * (1 - share), 0.0, 1.0); }

// P(Beta(a, b) < x) by its continued fraction.
double incomplete_beta(double a, double b, double x) noexcept {
  if (x <= 0) return 0;
  if (x >= 1) return 1;
  if (x > (a + 1) / (a + b + 2)) return 1 - incomplete_beta(b, a, 1 - x);
  const double front = std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) +
                                a * std::log(x) + b * std::log1p(-x)) /
                       a;
  constexpr double kTiny = 1e-300;
  double f = 1;
  double c = 1;
  double d = 0;
  for (int i = 0; i <= 300; ++i) {
    const double m = std::floor(0.5 * i);
    double numerator = 1;
    if (i > 0 && i % 2 == 0) {
      numerator = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
    } else if (i > 0) {
      numerator = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
    }
    d = 1 + numerator * d;
    d = 1 / (std::abs(d) < kTiny ? kTiny : d);
    c = 1 + numerator / c;
    if (std::abs(c) < kTiny) c = kTiny;
    const double change = c * d;
    f *= change;
    if (std::abs(change - 1) < 1e-12) break;
  }
  return front * (f - 1);
}

}  // namespace

std::size_t block_length(std::span<const double> values) {
  const std::size_t n = values.size();
  if (n < kFewest) return 1;
  std::vector<double> centred(values.begin(), values.end());
  const double centre = mean(values);
  for (double& value : centred) value -= centre;
  const std::size_t most_lags =
      std::min(n / 2, static_cast<std::size_t>(std::ceil(std::sqrt(static_cast<double>(n)))) + 5);
  std::vector<double> covariance;
  for (std::size_t lag = 0; lag <= most_lags; ++lag) {
    covariance.push_back(autocovariance(centred, lag));
  }
  if (covariance[0] <= 0) return 1;  // all the same

  const auto bandwidth = std::max<std::size_t>(1, 2 * negligible_lag(covariance, n));
  double spectrum = covariance[0];
  double slope = 0;
  for (std::size_t lag = 1; lag < covariance.size() && lag <= bandwidth; ++lag) {
    const double weight =
        2 * flat_top(static_cast<double>(lag) / static_cast<double>(bandwidth)) * covariance[lag];
    spectrum += weight;
    slope += weight * static_cast<double>(lag);
  }
  if (spectrum <= 0) return clamp_length(0, n);
  const double ratio = slope / spectrum;
  const double length = kWider * std::cbrt(1.5 * ratio * ratio * static_cast<double>(n));
  return clamp_length(length, n);
}

MeanResampler::MeanResampler(std::span<const double> values)
    : size_(values.size()),
      block_(block_length(values)),
      blocks_((size_ + block_ - 1) / block_),
      mean_(latido::analysis::mean(values)) {
  sums_.reserve(2 * size_ + 1);
  sums_.push_back(0);
  // Around the mean, so that long series of large numbers lose no digits.
  for (std::size_t i = 0; i < 2 * size_; ++i) {
    sums_.push_back(sums_.back() + (values[i % size_] - mean_));
  }
}

double MeanResampler::draw(Random& random) const noexcept {
  double sum = 0;
  std::size_t left = size_;
  while (left > 0) {
    const std::size_t length = std::min(block_, left);
    const std::size_t start = random.below(size_);
    sum += sums_[start + length] - sums_[start];
    left -= length;
  }
  return mean_ + sum / static_cast<double>(size_);
}

MeanInterval mean_interval(std::span<const double> values, const BootstrapOptions& options) {
  if (values.empty()) return {};
  MeanInterval interval{.mean = mean(values)};
  if (values.size() < 2) return interval;
  const std::vector<double> condensed = condense(values, options.condense_to);
  const MeanResampler resampler(condensed);
  Random random(options.seed);
  double squares = 0;
  for (std::size_t i = 0; i < options.resamples; ++i) {
    const double off = resampler.draw(random) - resampler.mean();
    squares += off * off;
  }
  const double n = static_cast<double>(resampler.blocks());
  if (n < 2 || options.resamples == 0) return interval;
  // Resampling from n blocks underestimates the variance by (n − 1) / n.
  const double error = std::sqrt(squares / static_cast<double>(options.resamples) * n / (n - 1));
  interval.half_width = student_t(options.confidence, n - 1) * error;
  return interval;
}

double student_t_tail(double t, double degrees_of_freedom) noexcept {
  const double df = std::max(degrees_of_freedom, 1.0);
  return incomplete_beta(df / 2, 0.5, df / (df + t * t));
}

double student_t(double confidence, double degrees_of_freedom) noexcept {
  const double tail = 1 - std::clamp(confidence, 0.0, 0.999'999);
  double low = 0;
  double high = 1;
  while (student_t_tail(high, degrees_of_freedom) > tail && high < 1e6) high *= 2;
  for (int i = 0; i < 60; ++i) {
    const double middle = (low + high) / 2;
    (student_t_tail(middle, degrees_of_freedom) > tail ? low : high) = middle;
  }
  return high;
}

}  // namespace latido::analysis
