// Whether two counts of samples tell of a change, or of chance only.
//
// Pure. Used to compare the sampled time of functions and call paths of two runs. A count is taken as
// Poisson distributed about rate × exposure. Only the error of sampling is in it: how much a run differs
// from the next of the same program, two runs cannot tell.
#pragma once

#include <cstddef>

namespace latido::analysis {

struct SampleCount {
  double count = 0;     // samples, not below 0
  double exposure = 0;  // what they are compared by: steps, or all samples of the run
};

// Standard deviations between the two rates, by the square roots of the counts, which behave the same
// for few samples as for many. Positive: `after` has the larger rate. 0 without exposure.
double count_change_z(const SampleCount& before, const SampleCount& after) noexcept;

// Whether `z` is beyond chance when `tested` changes are looked at together: with no true change at
// all, the odds that even one of them is called one are 1 in 20 (Bonferroni).
bool beyond_chance(double z, std::size_t tested) noexcept;

}  // namespace latido::analysis
