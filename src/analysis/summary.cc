#include "analysis/summary.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace latido::analysis {
namespace {

template <typename T>
double quantile_of(std::span<T> values, double q) noexcept {
  if (values.empty()) return 0;
  const double at = std::clamp(q, 0.0, 1.0) * static_cast<double>(values.size() - 1);
  const auto below = static_cast<std::ptrdiff_t>(std::floor(at));
  const auto nth = values.begin() + below;
  std::nth_element(values.begin(), nth, values.end());
  const double low = static_cast<double>(*nth);
  const double fraction = at - static_cast<double>(below);
  if (fraction <= 0 || nth + 1 == values.end()) return low;
  const double high = static_cast<double>(*std::min_element(nth + 1, values.end()));
  return low + fraction * (high - low);
}

template <typename T>
double median_of(std::span<const T> values) {
  std::vector<T> copy(values.begin(), values.end());
  return quantile_of(std::span<T>(copy), 0.5);
}

}  // namespace

double mean(std::span<const double> values) noexcept {
  if (values.empty()) return 0;
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double quantile(std::span<double> values, double q) noexcept { return quantile_of(values, q); }
std::int64_t quantile(std::span<std::int64_t> values, double q) noexcept {
  return std::llround(quantile_of(values, q));
}
double median(std::span<const double> values) { return median_of(values); }
double median(std::span<const std::int64_t> values) { return median_of(values); }

std::vector<double> condense(std::span<const double> values, std::size_t most) {
  if (values.size() <= most || most == 0) return {values.begin(), values.end()};
  const std::size_t group = (values.size() + most - 1) / most;
  std::vector<double> means;
  means.reserve(values.size() / group + 1);
  for (std::size_t i = 0; i < values.size(); i += group) {
    means.push_back(mean(values.subspan(i, std::min(group, values.size() - i))));
  }
  return means;
}

}  // namespace latido::analysis
