// Where warm-up ends: the first steps pay for lazy imports, caches and compilation.
//
// Called for the facts of a rank. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace latido::analysis {

inline constexpr std::size_t kMostWarmupSteps = 20;
// Steps that can matter for the answer.
inline constexpr std::size_t kWarmupLookAhead = 4 * kMostWarmupSteps;

// Number of warm-up steps, from the wall times of the first steps: until the median of 10 is within
// 10 % of the median of the next 10, and no single step before takes twice as long as what follows (one
// slow first step does not move a median, but does move the mean). At most 20; at most a quarter of the
// steps while there are few.
std::size_t warmup_steps(std::span<const std::int64_t> walls_ns);

}  // namespace latido::analysis
