// Block bootstrap: how sure a mean of autocorrelated values is.
//
// Neighbouring steps are alike (a queue that is full stays full for a while), so they must be resampled
// in blocks: resampling single steps would promise too narrow an interval. Pure and seeded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "analysis/random.h"

namespace latido::analysis {

// Block length for resampling the mean of `values`, from their autocorrelation (Politis and White
// 2004, corrected 2009, for a circular block bootstrap; half as long again, see there). From their
// cube root to a quarter of them; 1 if there are fewer than 8 or they are all the same.
std::size_t block_length(std::span<const double> values);

// Draws means of resampled series: blocks of a circular series, laid end to end.
class MeanResampler {
 public:
  // Precondition: not empty.
  explicit MeanResampler(std::span<const double> values);

  double draw(Random& random) const noexcept;
  double mean() const noexcept { return mean_; }
  // Blocks that a series has: independent pieces of evidence, roughly.
  std::size_t blocks() const noexcept { return blocks_; }

 private:
  std::size_t size_;
  std::size_t block_;
  std::size_t blocks_;
  double mean_ = 0;
  std::vector<double> sums_;  // of the first i values, twice around
};

struct BootstrapOptions {
  double confidence = 0.90;
  std::size_t resamples = 1000;
  std::size_t condense_to = 2048;  // longer series are averaged in groups first
  std::uint64_t seed = 1;
};

struct MeanInterval {
  double mean = 0;
  double half_width = 0;
};

// The mean of `values` and how far it may be off. 0 and 0 without values; half_width 0 with one.
MeanInterval mean_interval(std::span<const double> values, const BootstrapOptions& options = {});

// Two-sided quantile factor of Student's t: a fraction `confidence` lies within ± the result.
double student_t(double confidence, double degrees_of_freedom) noexcept;
// Probability that |t| exceeds `t`.
double student_t_tail(double t, double degrees_of_freedom) noexcept;

}  // namespace latido::analysis
