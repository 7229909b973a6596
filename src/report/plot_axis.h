// Axes and buckets for pictures: round numbers to label, and long series cut to what a picture can show.
// Pure.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "model/step.h"

namespace latido::report {

// A scale from `low` to `high` with its round values. high > low.
struct Axis {
  double low = 0;
  double high = 1;
  std::vector<double> ticks;

  // 0 at low, 1 at high; held within.
  double at(double value) const noexcept;
};

// Covers the values with about `count` round ticks: 1, 2 or 5 times a power of ten, or of two for
// bytes. Values that are not finite are passed over.
Axis axis_for(double low, double high, std::size_t count, bool powers_of_two = false);

// Steps side by side, each bucket the mean of as many neighbours.
struct StepBucket {
  std::uint64_t first_step = 0;  // number of its first step, from 1
  std::uint64_t steps = 0;
  double start_ns = 0;                               // of its first step, CLOCK_MONOTONIC
  std::array<double, model::kPhaseCount> mean_ns{};  // 0 where not measured
  double wall_ns = 0;                                // mean
  double slowest_ns = 0;
};
// `stride` is the distance between two of `steps` in the run.
std::vector<StepBucket> bucket_steps(std::span<const model::Step> steps, std::uint64_t stride,
                                     std::size_t most);

// Points of a curve; what is not finite is a gap.
struct PlotPoint {
  double x = 0;
  double y = 0;
};
// At most `most` points, each the mean of its neighbours; a bucket without a finite value is a gap.
std::vector<PlotPoint> decimate(std::span<const PlotPoint> points, std::size_t most);

// `ratio` of the values lie below it. 0 for none. Reorders.
double value_at_ratio(std::vector<double> values, double ratio);

}  // namespace latido::report
