#include "analysis/count_change.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace latido::analysis {

double count_change_z(const SampleCount& before, const SampleCount& after) noexcept {
  if (!(before.exposure > 0) || !(after.exposure > 0)) return 0;
  // Makes the variance of the root of a Poisson count nearly 1/4, whatever its mean.
  constexpr double kOffset = 3.0 / 8;
  const double exposures = after.exposure / before.exposure;
  const double expected = exposures * (std::max(before.count, 0.0) + kOffset);
  const double seen = std::max(after.count, 0.0) + kOffset;
  return 2 * (std::sqrt(seen) - std::sqrt(expected)) / std::sqrt(1 + exposures);
}

bool beyond_chance(double z, std::size_t tested) noexcept {
  constexpr double kOdds = 0.05;
  const double p_value = std::erfc(std::abs(z) / std::numbers::sqrt2);
  return p_value * static_cast<double>(std::max<std::size_t>(tested, 1)) < kOdds;
}

}  // namespace latido::analysis
