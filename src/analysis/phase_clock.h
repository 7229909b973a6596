// PhaseClock: how much of a thread's time each kind of work has taken so far, exclusively.
//
// Kept by SpanStack. A step's phases are the difference of two readings (Mark), so they add up to its
// wall time by construction, wherever the step turns out to begin and end.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "model/category.h"
#include "model/step.h"

namespace latido::analysis {

// The phases of model::Phase without "other", then the parts of "other", each in its own order.
enum class Bucket : std::uint8_t {
  kDataWait,
  kH2d,
  kForward,
  kBackward,
  kCommWait,
  kOptimizer,
  kCheckpoint,
  kEvaluation,
  kLoaderStart,
  kZones,
  kUnnamed,
};
inline constexpr std::size_t kBucketCount = 11;
inline constexpr std::size_t kFirstOtherBucket = model::kPhaseCount - 1;
static_assert(kFirstOtherBucket + model::kOtherPartCount == kBucketCount);

constexpr std::size_t index_of(Bucket bucket) noexcept { return static_cast<std::size_t>(bucket); }

// Where the exclusive time of a span of `category` goes when the time around it goes to `outer`.
Bucket bucket_inside(Bucket outer, model::Category category) noexcept;

// kOther for the parts of it.
model::Phase phase_of(Bucket bucket) noexcept;

// One reading of the clock.
struct Mark {
  std::int64_t ts_ns = 0;
  std::array<std::int64_t, kBucketCount> spent_ns{};

  std::int64_t spent(Bucket bucket) const noexcept { return spent_ns[index_of(bucket)]; }
  bool operator==(const Mark&) const = default;
};

// Wall time and phases of `step` from the readings at its ends; `end` must not be before `start`.
void set_phases(model::Step& step, const Mark& start, const Mark& end) noexcept;

class PhaseClock {
 public:
  // Gives the time since the last call to `bucket`. The first call only starts the clock; a time
  // before the last one counts as the last one.
  void advance(std::int64_t ts_ns, Bucket bucket) noexcept {
    if (!started_) {
      started_ = true;
      now_.ts_ns = ts_ns;
    }
    if (ts_ns <= now_.ts_ns) return;
    now_.spent_ns[index_of(bucket)] += ts_ns - now_.ts_ns;
    now_.ts_ns = ts_ns;
  }
  const Mark& now() const noexcept { return now_; }

 private:
  Mark now_;
  bool started_ = false;
};

}  // namespace latido::analysis
