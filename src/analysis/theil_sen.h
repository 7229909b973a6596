// Theil-Sen: the slope of a cloud of points that outliers cannot bend.
//
// The median of the slopes between all pairs, its interval by Sen's method. Long inputs are thinned
// evenly first, so the cost is bounded. Pure.
#pragma once

#include <cstddef>
#include <optional>
#include <span>

namespace latido::analysis {

struct Slope {
  double slope = 0;
  double low = 0;  // of the interval
  double high = 0;
};

inline constexpr std::size_t kTheilSenPoints = 200;

// `x` and `y` are of one length. Empty with fewer than 3 points, or when all x are equal.
std::optional<Slope> theil_sen(std::span<const double> x, std::span<const double> y,
                               double confidence = 0.90);

}  // namespace latido::analysis
