// OutsideRegion: what happens on a training thread between two steps, sorted into evaluation,
// checkpoints and the rest.
//
// Evaluation lasts from the loader that feeds its first no-grad forward to the end of its last one.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/phase_clock.h"

namespace latido::analysis {

// Sums over the regions of a run.
struct OutsideTotals {
  std::int64_t evaluation_ns = 0;
  std::int64_t checkpoint_ns = 0;
  std::uint32_t evaluations = 0;
  std::uint32_t checkpoints = 0;
};

class OutsideRegion {
 public:
  explicit OutsideRegion(const Mark& begin) : begin_(begin) {}

  // A loader starts or gives a batch: an evaluation may begin with it.
  void on_loader(const Mark& begin) {
    if (!loader_) loader_ = begin;
  }
  void on_no_grad(const Mark& begin, const Mark& end) {
    if (!evaluation_begin_) evaluation_begin_ = loader_ ? *loader_ : begin;
    evaluation_end_ = end;
  }
  // A loader is exhausted: an evaluation that ran ends with it.
  void on_stop(const Mark& end) {
    if (evaluation_begin_) {
      evaluation_end_ = end;
    } else {
      loader_.reset();
    }
  }
  void on_checkpoint() noexcept { ++checkpoints_; }

  const Mark& begin() const noexcept { return begin_; }

  // Adds this region, which ends at `end`, to `totals`.
  void add_to(OutsideTotals& totals, const Mark& end) const noexcept {
    totals.checkpoint_ns += end.spent(Bucket::kCheckpoint) - begin_.spent(Bucket::kCheckpoint);
    totals.checkpoints += checkpoints_;
    if (!evaluation_begin_) return;
    const std::int64_t checkpoint_ns =
        evaluation_end_.spent(Bucket::kCheckpoint) - evaluation_begin_->spent(Bucket::kCheckpoint);
    totals.evaluation_ns += evaluation_end_.ts_ns - evaluation_begin_->ts_ns - checkpoint_ns;
    ++totals.evaluations;
  }

 private:
  Mark begin_;
  std::optional<Mark> loader_;
  std::optional<Mark> evaluation_begin_;
  Mark evaluation_end_;
  std::uint32_t checkpoints_ = 0;
};

}  // namespace latido::analysis
