#include "analysis/phase_clock.h"

namespace latido::analysis {

using model::Category;

Bucket bucket_inside(Bucket outer, Category category) noexcept {
  switch (category) {
    case Category::kDataWait:
      return Bucket::kDataWait;
    case Category::kLoaderStart:
      return outer == Bucket::kDataWait ? outer : Bucket::kLoaderStart;
    case Category::kH2d:
      return Bucket::kH2d;
    case Category::kForward:
      // Recomputation of a checkpointed activation is part of the backward; a model that a dataset
      // runs is part of the wait.
      return outer == Bucket::kBackward || outer == Bucket::kDataWait ? outer : Bucket::kForward;
    case Category::kForwardNoGrad:
      if (outer == Bucket::kBackward || outer == Bucket::kDataWait) return outer;
      // The line search of a closure.
      if (outer == Bucket::kForward || outer == Bucket::kOptimizer) return Bucket::kForward;
      return Bucket::kEvaluation;
    case Category::kBackward:
      return Bucket::kBackward;
    case Category::kCommWait:
      return Bucket::kCommWait;
    case Category::kOptimizer:
    case Category::kScalerStep:
    case Category::kZeroGrad:
    case Category::kClipGrad:
      return Bucket::kOptimizer;
    case Category::kCheckpoint:
      return Bucket::kCheckpoint;
    default:
      // A zone says where time goes only as long as no hook does.
      return outer == Bucket::kUnnamed ? Bucket::kZones : outer;
  }
}

model::Phase phase_of(Bucket bucket) noexcept {
  return index_of(bucket) < kFirstOtherBucket ? static_cast<model::Phase>(index_of(bucket))
                                              : model::Phase::kOther;
}

void set_phases(model::Step& step, const Mark& start, const Mark& end) noexcept {
  step.start_ns = start.ts_ns;
  step.wall_ns = end.ts_ns - start.ts_ns;
  for (std::size_t i = 0; i < kFirstOtherBucket; ++i) {
    step.phase_ns[i] = end.spent_ns[i] - start.spent_ns[i];
  }
  std::int64_t other_ns = 0;
  for (std::size_t i = 0; i < model::kOtherPartCount; ++i) {
    const std::size_t bucket = kFirstOtherBucket + i;
    step.other_ns[i] = end.spent_ns[bucket] - start.spent_ns[bucket];
    other_ns += step.other_ns[i];
  }
  step.phase_ns[kFirstOtherBucket] = other_ns;
}

}  // namespace latido::analysis
