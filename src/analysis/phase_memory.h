// PhaseMemory: how much memory a training process had resident in each phase of its steps.
//
// Samples come from outside, about 10 a second, and wait here until the events of the training thread have
// passed their time: then it is known what the thread was doing. With thousands of steps the samples of
// a phase are spread over it evenly, so their mean and their maximum stand for it; a peak that lasts a
// moment in few steps can be missed. Owned by RunAnalysis, one a process. Not thread-safe.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>

#include "analysis/phase_clock.h"
#include "analysis/run_facts.h"
#include "analysis/sample_curve.h"

namespace latido::analysis {

class PhaseMemory {
 public:
  // Samples that wait; the oldest go when a process records nothing for so long.
  static constexpr std::size_t kMostPending = 65'536;
  // Looks kept for single steps; beyond these, the larger of two neighbours.
  static constexpr std::size_t kKeptLooks = 65'536;

  // In time order; one that is not is ignored.
  void add_sample(std::int64_t ts_ns, double bytes);

  // The training thread did what belongs to `bucket` from `since_ns` until `until_ns`, the time of its
  // next event.
  void pass(std::int64_t since_ns, std::int64_t until_ns, Bucket bucket, bool in_step) {
    if (pending_.empty() || pending_.front().ts_ns >= until_ns) return;
    take(since_ns, until_ns, bucket, in_step);
  }

  MemoryFacts facts() const;
  // Fills the steps' rss_peak_bytes; of a step without a look in its time it stays.
  void fill_peaks(std::span<model::Step> steps) const;

 private:
  struct Pending {
    std::int64_t ts_ns = 0;
    double bytes = 0;
  };
  struct Sum {
    std::uint64_t samples = 0;
    double bytes = 0;
    double peak_bytes = 0;

    void add(double more_bytes) noexcept;
    MemoryUse use() const noexcept;
  };
  void take(std::int64_t since_ns, std::int64_t until_ns, Bucket bucket, bool in_step);

  std::deque<Pending> pending_;
  SampleCurve looks_{CurveKind::kPeakGauge};
  std::array<Sum, model::kPhaseCount> phases_{};
  Sum outside_;
};

}  // namespace latido::analysis
