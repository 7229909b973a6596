#include "report/plot_axis.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace latido::report {
namespace {

double round_step(double rough, bool powers_of_two) {
  if (powers_of_two) return std::exp2(std::ceil(std::log2(rough)));
  const double power = std::pow(10, std::floor(std::log10(rough)));
  for (const double factor : {1.0, 2.0, 5.0}) {
    // The slack keeps 0.2 / 0.1 from counting as more than 2.
    if (rough <= factor * power * 1.000001) return factor * power;
  }
  return 10 * power;
}

double wall_of(const model::Step& step) { return static_cast<double>(step.wall_ns); }

void add_step(StepBucket& bucket, const model::Step& step) {
  ++bucket.steps;
  bucket.wall_ns += wall_of(step);
  bucket.slowest_ns = std::max(bucket.slowest_ns, wall_of(step));
  for (std::size_t p = 0; p < model::kPhaseCount; ++p) {
    bucket.mean_ns[p] += static_cast<double>(std::max<std::int64_t>(step.phase_ns[p], 0));
  }
}

void divide(StepBucket& bucket) {
  const double steps = static_cast<double>(std::max<std::uint64_t>(bucket.steps, 1));
  bucket.wall_ns /= steps;
  for (double& ns : bucket.mean_ns) ns /= steps;
}

}  // namespace

double Axis::at(double value) const noexcept {
  return std::clamp((value - low) / (high - low), 0.0, 1.0);
}

Axis axis_for(double low, double high, std::size_t count, bool powers_of_two) {
  if (!std::isfinite(low)) low = 0;
  if (!std::isfinite(high)) high = low + 1;
  const double magnitude = std::max({std::abs(low), std::abs(high), 1e-12});
  // A flat line still needs a scale around it.
  if (high - low < magnitude * 1e-9) high = low + magnitude * 0.1;
  const double step =
      round_step((high - low) / static_cast<double>(std::max<std::size_t>(count, 1)),
                 powers_of_two && high >= 1024);
  Axis axis{
      .low = std::floor(low / step) * step, .high = std::ceil(high / step) * step, .ticks = {}};
  if (axis.high <= axis.low) axis.high = axis.low + step;
  const auto steps = static_cast<std::size_t>(
      std::min(std::round((axis.high - axis.low) / step), static_cast<double>(4 * count + 4)));
  for (std::size_t i = 0; i <= steps; ++i) {
    axis.ticks.push_back(axis.low + static_cast<double>(i) * step);
  }
  return axis;
}

std::vector<StepBucket> bucket_steps(std::span<const model::Step> steps, std::uint64_t stride,
                                     std::size_t most) {
  std::vector<StepBucket> buckets;
  if (steps.empty() || most == 0) return buckets;
  const std::size_t each = (steps.size() + most - 1) / most;
  for (std::size_t first = 0; first < steps.size(); first += each) {
    StepBucket bucket{.first_step = 1 + first * stride,
                      .steps = 0,
                      .start_ns = static_cast<double>(steps[first].start_ns)};
    for (std::size_t i = first; i < std::min(first + each, steps.size()); ++i) {
      add_step(bucket, steps[i]);
    }
    divide(bucket);
    bucket.steps *= stride;
    buckets.push_back(bucket);
  }
  return buckets;
}

std::vector<PlotPoint> decimate(std::span<const PlotPoint> points, std::size_t most) {
  std::vector<PlotPoint> out;
  if (points.empty() || most == 0) return out;
  const std::size_t each = (points.size() + most - 1) / most;
  for (std::size_t first = 0; first < points.size(); first += each) {
    const auto bucket = points.subspan(first, std::min(each, points.size() - first));
    double sum = 0;
    std::size_t finite = 0;
    for (const PlotPoint& point : bucket) {
      if (!std::isfinite(point.y)) continue;
      sum += point.y;
      ++finite;
    }
    const double y =
        finite > 0 ? sum / static_cast<double>(finite) : std::numeric_limits<double>::quiet_NaN();
    out.push_back({.x = bucket[bucket.size() / 2].x, .y = y});
  }
  return out;
}

double value_at_ratio(std::vector<double> values, double ratio) {
  std::erase_if(values, [](double value) { return !std::isfinite(value); });
  if (values.empty()) return 0;
  const auto last = static_cast<double>(values.size() - 1);
  const auto at = static_cast<std::ptrdiff_t>(std::round(std::clamp(ratio, 0.0, 1.0) * last));
  std::ranges::nth_element(values, values.begin() + at);
  return values[static_cast<std::size_t>(at)];
}

}  // namespace latido::report
