#include "analysis/theil_sen.h"

#include <algorithm>
#include <cmath>
#include <vector>

#include "analysis/block_bootstrap.h"
#include "analysis/summary.h"

namespace latido::analysis {
namespace {

// `count` positions spread evenly over n, both ends included.
std::vector<std::size_t> evenly(std::size_t n, std::size_t count) {
  std::vector<std::size_t> at;
  const std::size_t points = std::min(n, count);
  for (std::size_t i = 0; i < points; ++i)
    at.push_back(points < 2 ? 0 : i * (n - 1) / (points - 1));
  return at;
}

}  // namespace

std::optional<Slope> theil_sen(std::span<const double> x, std::span<const double> y,
                               double confidence) {
  const std::vector<std::size_t> at = evenly(std::min(x.size(), y.size()), kTheilSenPoints);
  if (at.size() < 3) return std::nullopt;
  std::vector<double> slopes;
  slopes.reserve(at.size() * (at.size() - 1) / 2);
  for (std::size_t i = 0; i < at.size(); ++i) {
    for (std::size_t j = i + 1; j < at.size(); ++j) {
      const double dx = x[at[j]] - x[at[i]];
      if (dx != 0) slopes.push_back((y[at[j]] - y[at[i]]) / dx);
    }
  }
  if (slopes.empty()) return std::nullopt;
  // Sen: under no trend Kendall's S has this variance; C slopes on each side of the middle.
  const double n = static_cast<double>(at.size());
  constexpr double kManyDegrees = 1e6;  // the normal distribution
  const double c =
      student_t(confidence, kManyDegrees) * std::sqrt(n * (n - 1) * (2 * n + 5) / 18.0);
  const double half_share = c / (2 * static_cast<double>(slopes.size()));
  Slope result;
  result.slope = quantile(std::span<double>(slopes), 0.5);
  result.low = quantile(std::span<double>(slopes), 0.5 - half_share);
  result.high = quantile(std::span<double>(slopes), 0.5 + half_share);
  return result;
}

}  // namespace latido::analysis
