// StepComparison: is one run's step really faster than another's, or is it noise?
//
// Called by `latido diff`. Both series are resampled in blocks, since steps are autocorrelated. What
// differs from run to run on the same machine (placement, temperature, neighbours) cannot be seen in two
// runs: compare several where it matters. Pure and seeded.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "analysis/block_bootstrap.h"
#include "model/step.h"

namespace latido::analysis {

struct StepComparison {
  std::uint64_t before_count = 0;
  std::uint64_t after_count = 0;
  double before_mean = 0;
  double after_mean = 0;
  double difference = 0;  // after − before, with its interval
  double difference_low = 0;
  double difference_high = 0;
  double speedup = 1;  // before ÷ after, with its interval
  double speedup_low = 1;
  double speedup_high = 1;
  double p_value = 1;            // of a difference at least this large when there is none
  bool more_than_noise = false;  // the interval of the speed-up leaves out 1
  double detectable_ratio = 0;   // the least relative change that these two series could have told

  bool operator==(const StepComparison&) const = default;
};

inline constexpr BootstrapOptions kComparisonOptions{.confidence = 0.95, .resamples = 2000};

// Empty with fewer than 4 values on either side, or a mean that is not above 0.
std::optional<StepComparison> compare_means(std::span<const double> before,
                                            std::span<const double> after,
                                            const BootstrapOptions& options = kComparisonOptions);

// The wall times of the steps after warm-up, in ns; of those that were recorded with the same detail,
// where both sides have some.
std::optional<StepComparison> compare_steps(std::span<const model::Step> before,
                                            std::span<const model::Step> after);

}  // namespace latido::analysis
