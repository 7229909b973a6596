// Means, quantiles and medians. Pure; empty input gives 0.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace latido::analysis {

double mean(std::span<const double> values) noexcept;

// `q` from 0 to 1, linear between the two nearest values. Reorders `values`.
double quantile(std::span<double> values, double q) noexcept;
std::int64_t quantile(std::span<std::int64_t> values, double q) noexcept;

// Does not reorder.
double median(std::span<const double> values);
double median(std::span<const std::int64_t> values);

// At most `most` values, each the mean of as many neighbours (but the last, of fewer): a long series
// for statistics whose cost grows with its length.
std::vector<double> condense(std::span<const double> values, std::size_t most);

}  // namespace latido::analysis
