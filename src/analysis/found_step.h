// FoundStep: a step as the step rule cuts it, with what the loader facts need besides.
#pragma once

#include <cmath>
#include <cstdint>
#include <limits>

#include "analysis/beat.h"
#include "model/step.h"

namespace latido::analysis {

// What happened in a step so far.
struct StepTally {
  std::uint32_t batches = 0;
  std::uint32_t backwards = 0;
  std::uint32_t optimizer_calls = 0;
  std::uint64_t samples = 0;
  std::uint32_t queue_known = 0;  // batches whose queue state was recorded
  std::uint32_t queue_empty = 0;
  std::uint32_t losses = 0;
  double loss_sum = 0;
  float grad_norm = std::numeric_limits<float>::quiet_NaN();
  float learning_rate = std::numeric_limits<float>::quiet_NaN();
  bool skipped = false;
  std::uint32_t loader = kUnknownId;  // that gave the first batch

  // Appends what happened right after.
  void append(const StepTally& later) noexcept {
    batches += later.batches;
    backwards += later.backwards;
    optimizer_calls += later.optimizer_calls;
    samples += later.samples;
    queue_known += later.queue_known;
    queue_empty += later.queue_empty;
    losses += later.losses;
    loss_sum += later.loss_sum;
    if (!std::isnan(later.grad_norm)) grad_norm = later.grad_norm;
    if (!std::isnan(later.learning_rate)) learning_rate = later.learning_rate;
    skipped = skipped || later.skipped;
    if (loader == kUnknownId) loader = later.loader;
  }
};

struct FoundStep {
  model::Step step;
  std::uint32_t queue_known = 0;
  std::uint32_t queue_empty = 0;
  std::uint32_t loader = kUnknownId;
};

}  // namespace latido::analysis
