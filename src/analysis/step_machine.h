// StepMachine: the step rule. Turns the beats of one training thread into steps.
//
// A step is open from its first wait (without a loader: from the end of the update before) and complete
// with its update; it closes where the next one begins or something else intervenes. An open step that
// turns out to be none (an evaluation, a loop broken off) leaves its time outside.
//
// Used by StepFinder, which decides beforehand which updates end a step. A value: StepFinder judges the
// latest beats on a copy, since later ones may change what they mean. Pure.
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "analysis/beat.h"
#include "analysis/found_step.h"
#include "analysis/loader_ledger.h"
#include "analysis/outside_region.h"

namespace latido::analysis {

class StepMachine {
 public:
  // `ends_step` matters for updates only. Closed steps are appended to `out`.
  void consume(const Beat& beat, bool ends_step, std::vector<FoundStep>& out);

  // latido.step() is used: from now on steps are what lies between two of its calls.
  void use_api() noexcept { api_ = true; }
  bool uses_api() const noexcept { return api_; }

  // The recording ends at `now`: closes a complete step and the region after the last one.
  void finish(const Mark& now, std::vector<FoundStep>& out);

  // Between the steps closed so far, not before the first.
  const OutsideTotals& outside() const noexcept { return outside_; }
  // A step has begun that may still turn out to be none.
  bool in_step() const noexcept { return state_ != State::kOutside; }

 private:
  enum class State : std::uint8_t { kOutside, kOpen, kComplete };
  // What an open step began with.
  enum class Origin : std::uint8_t { kWait, kStop, kLoaderStart, kTraining };

  void follow(const Beat& beat, bool ends_step, std::vector<FoundStep>& out);
  void on_wait(const Beat& beat, std::vector<FoundStep>& out);
  void on_stop(const Beat& beat, std::vector<FoundStep>& out);
  void on_stop_while_open(const Beat& beat);
  void on_loader_start(const Beat& beat, std::vector<FoundStep>& out);
  void on_no_grad(const Beat& beat, std::vector<FoundStep>& out);
  void on_train_begin(const Beat& beat);
  void on_update(const Beat& beat, bool ends_step, std::vector<FoundStep>& out);
  void on_value(const Beat& beat) noexcept;
  void consume_for_api(const Beat& beat, std::vector<FoundStep>& out);
  void on_step_end(const Beat& beat, std::vector<FoundStep>& out);

  void open(Origin origin, const Mark& start);
  void cancel() noexcept;
  void confirm();
  void close(const Mark& end, std::vector<FoundStep>& out);
  OutsideRegion& region(const Mark& now);
  StepTally& current() noexcept { return state_ == State::kComplete ? tail_ : tally_; }
  void count_batch(StepTally& tally, const Beat& beat);

  State state_ = State::kOutside;
  Origin origin_ = Origin::kWait;
  bool api_ = false;
  bool evaluates_ = false;  // open: a no-grad forward since the start, before any backward
  bool stopped_ = false;    // open: a loader was exhausted since the start
  std::uint32_t stopped_loader_ = kUnknownId;
  std::uint32_t optimizer_ = kUnknownId;  // whose update completed the step
  Mark latest_;                           // end of the last beat
  Mark start_;
  Mark update_;  // end of the update that completed the step
  std::optional<Mark> work_after_update_;
  StepTally tally_;  // until the update
  StepTally tail_;   // after it
  // Told only when it changes.
  float learning_rate_ = std::numeric_limits<float>::quiet_NaN();
  std::optional<OutsideRegion> region_;
  std::optional<OutsideRegion> region_before_;  // as it was when the step opened
  bool has_steps_ = false;
  OutsideTotals outside_;
  LoaderLedger loaders_;
};

}  // namespace latido::analysis
