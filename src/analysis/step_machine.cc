#include "analysis/step_machine.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace latido::analysis {

OutsideRegion& StepMachine::region(const Mark& now) {
  if (!region_) region_.emplace(now);
  return *region_;
}

void StepMachine::open(Origin origin, const Mark& start) {
  state_ = State::kOpen;
  origin_ = origin;
  start_ = start;
  tally_ = {};
  evaluates_ = false;
  stopped_ = false;
  stopped_loader_ = kUnknownId;
  region_before_ = region(start);
}

void StepMachine::cancel() noexcept { state_ = State::kOutside; }

// The open step has its update: what came before it is outside for good.
void StepMachine::confirm() {
  if (has_steps_ && region_before_) region_before_->add_to(outside_, start_);
  has_steps_ = true;
}

void StepMachine::close(const Mark& end, std::vector<FoundStep>& out) {
  FoundStep found;
  set_phases(found.step, start_, end);
  tally_.append(tail_);
  found.step.batches = tally_.batches;
  found.step.backwards = tally_.backwards;
  found.step.optimizer_calls = tally_.optimizer_calls;
  found.step.samples =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(tally_.samples, 0xFFFF'FFFF));
  if (tally_.losses > 0) {
    found.step.loss = static_cast<float>(tally_.loss_sum / tally_.losses);
  }
  found.step.grad_norm = tally_.grad_norm;
  if (!std::isnan(tally_.learning_rate)) learning_rate_ = tally_.learning_rate;
  found.step.learning_rate = learning_rate_;
  found.step.flags = tally_.skipped ? model::StepFlags::kSkipped : std::uint8_t{0};
  found.queue_known = tally_.queue_known;
  found.queue_empty = tally_.queue_empty;
  found.loader = tally_.loader;
  out.push_back(found);
  tally_ = {};
  tail_ = {};
  work_after_update_.reset();
  region_.emplace(end);
  state_ = State::kOutside;
}

void StepMachine::consume(const Beat& beat, bool ends_step, std::vector<FoundStep>& out) {
  if (beat.begin.ts_ns >= latest_.ts_ns) {
    latest_ = beat.end;
    return follow(beat, ends_step, out);
  }
  // It holds an earlier one inside (an update in a wait): no step may begin before that has ended.
  Beat later = beat;
  later.begin = latest_;
  if (later.end.ts_ns < latest_.ts_ns) later.end = latest_;
  latest_ = later.end;
  follow(later, ends_step, out);
}

void StepMachine::follow(const Beat& beat, bool ends_step, std::vector<FoundStep>& out) {
  if (beat.kind == BeatKind::kValue) return on_value(beat);
  if (beat.kind == BeatKind::kStepEnd) return on_step_end(beat, out);
  if (api_) return consume_for_api(beat, out);
  switch (beat.kind) {
    case BeatKind::kWait:
      return on_wait(beat, out);
    case BeatKind::kStop:
      return on_stop(beat, out);
    case BeatKind::kLoaderStart:
      return on_loader_start(beat, out);
    case BeatKind::kNoGrad:
      return on_no_grad(beat, out);
    case BeatKind::kTrainBegin:
      return on_train_begin(beat);
    case BeatKind::kBackward:
      loaders_.on_backward();
      if (state_ == State::kOutside) open(Origin::kTraining, beat.begin);
      ++current().backwards;
      return;
    case BeatKind::kUpdate:
      return on_update(beat, ends_step, out);
    case BeatKind::kCheckpoint:
      // In a complete step it is a part of it; before any backward the step may turn out to be none.
      if (state_ != State::kComplete && tally_.backwards == 0) region(beat.begin).on_checkpoint();
      return;
    default:
      return;
  }
}

void StepMachine::count_batch(StepTally& tally, const Beat& beat) {
  ++tally.batches;
  tally.samples += beat.samples;
  if (beat.queue_known) ++tally.queue_known;
  if (beat.queue_empty) ++tally.queue_empty;
  if (tally.loader == kUnknownId) tally.loader = beat.id;
  loaders_.on_batch(beat.id);
}

void StepMachine::on_wait(const Beat& beat, std::vector<FoundStep>& out) {
  if (state_ == State::kComplete) close(beat.begin, out);
  if (state_ == State::kOpen) {
    // Before any backward: a batch that was only evaluated, a step that began without a loader.
    // After one: gradients left over by a loop that ended between two updates.
    const bool began_with_loader = origin_ == Origin::kWait || origin_ == Origin::kLoaderStart;
    const bool none =
        tally_.backwards == 0 ? evaluates_ || stopped_ || !began_with_loader : stopped_;
    if (none) cancel();
  }
  if (state_ == State::kOutside) open(Origin::kWait, beat.begin);
  region(beat.begin).on_loader(beat.begin);
  count_batch(tally_, beat);
}

void StepMachine::on_stop(const Beat& beat, std::vector<FoundStep>& out) {
  loaders_.on_other_use();
  if (state_ == State::kComplete) {
    // Accelerate fetches one batch ahead: a last step may come after the loader is exhausted.
    close(beat.begin, out);
    open(Origin::kStop, beat.begin);
    return;
  }
  if (state_ == State::kOpen) on_stop_while_open(beat);
  region(beat.begin).on_stop(beat.end);
}

void StepMachine::on_stop_while_open(const Beat& beat) {
  if (tally_.backwards > 0) {
    stopped_ = true;
  } else if (evaluates_ || tally_.batches > 1) {
    cancel();
  } else if (tally_.batches == 1) {
    stopped_ = true;  // one batch, fetched ahead; or another loader of a zip ends here
    stopped_loader_ = beat.id;
  }
}

void StepMachine::on_loader_start(const Beat& beat, std::vector<FoundStep>& out) {
  // A loop that makes its loader's iterator anew for each batch pays for it in each step.
  const bool for_each_step =
      loaders_.is_training(beat.id) && loaders_.batches_since_start(beat.id) == 1;
  loaders_.on_start(beat.id);
  if (state_ == State::kComplete) {
    close(beat.begin, out);
    if (for_each_step) return open(Origin::kLoaderStart, beat.begin);
  }
  if (state_ == State::kOpen) {
    const bool inside = tally_.backwards > 0 && !stopped_;
    // The shorter of two loaders that are read together starts again.
    const bool refills = tally_.backwards == 0 && stopped_ && !evaluates_ &&
                         stopped_loader_ == beat.id && loaders_.is_training(beat.id);
    if (refills) stopped_ = false;
    if (inside || refills) return;
    if (origin_ == Origin::kLoaderStart && tally_.batches == 0) return;
    cancel();
  }
  region(beat.begin).on_loader(beat.begin);
}

void StepMachine::on_no_grad(const Beat& beat, std::vector<FoundStep>& out) {
  loaders_.on_other_use();
  if (state_ == State::kComplete) close(beat.begin, out);
  if (state_ == State::kOpen && tally_.backwards > 0) {
    if (!stopped_) return;  // between two micro-batches
    cancel();
  }
  if (state_ == State::kOpen && origin_ == Origin::kStop) cancel();
  if (state_ == State::kOpen) evaluates_ = true;
  region(beat.begin).on_no_grad(beat.begin, beat.end);
}

void StepMachine::on_train_begin(const Beat& beat) {
  if (state_ == State::kOutside) return open(Origin::kTraining, beat.begin);
  if (state_ == State::kComplete && !work_after_update_) work_after_update_ = beat.begin;
}

void StepMachine::on_update(const Beat& beat, bool ends_step, std::vector<FoundStep>& out) {
  if (state_ == State::kOutside) open(Origin::kTraining, beat.begin);
  if (beat.continues) {
    if (state_ == State::kComplete && beat.id == optimizer_) {
      update_ = beat.end;
      tally_.optimizer_calls += beat.calls;
    } else {
      current().optimizer_calls += beat.calls;
    }
    return;
  }
  if (ends_step && state_ == State::kComplete) {
    StepTally begun = std::exchange(tail_, StepTally{});
    const std::optional<Mark> work = work_after_update_;
    const Mark before = update_;
    close(before, out);
    // A new optimizer is a new training: it begins with its first forward, not with what prepares it.
    open(Origin::kTraining, beat.first_of_optimizer && work ? *work : before);
    tally_ = begun;
  }
  current().optimizer_calls += beat.calls;
  current().skipped = current().skipped || (beat.skipped && ends_step);
  if (!ends_step) return;
  confirm();
  state_ = State::kComplete;
  optimizer_ = beat.id;
  update_ = beat.end;
}

void StepMachine::on_value(const Beat& beat) noexcept {
  StepTally& tally = current();
  switch (beat.value_name) {
    case ValueName::kLoss:
      tally.loss_sum += beat.value;
      ++tally.losses;
      return;
    case ValueName::kGradNorm:
      tally.grad_norm = static_cast<float>(beat.value);
      return;
    case ValueName::kLearningRate:
      tally.learning_rate = static_cast<float>(beat.value);
      return;
    case ValueName::kOther:
      return;
  }
}

void StepMachine::consume_for_api(const Beat& beat, std::vector<FoundStep>& out) {
  if (state_ == State::kComplete) {  // found before the first call of latido.step()
    close(update_, out);
    open(Origin::kTraining, region_->begin());
  }
  if (state_ == State::kOutside && beat.kind != BeatKind::kStop) {
    open(Origin::kTraining, beat.begin);
  }
  if (beat.kind == BeatKind::kWait) count_batch(tally_, beat);
  if (beat.kind == BeatKind::kBackward) ++tally_.backwards;
  if (beat.kind == BeatKind::kUpdate) {
    tally_.optimizer_calls += beat.calls;
    tally_.skipped = tally_.skipped || beat.skipped;
  }
}

void StepMachine::on_step_end(const Beat& beat, std::vector<FoundStep>& out) {
  api_ = true;
  if (state_ == State::kComplete) {
    close(update_, out);
    open(Origin::kTraining, region_->begin());
  }
  if (state_ == State::kOutside) {
    open(Origin::kTraining, has_steps_ ? region_->begin() : beat.begin);
  }
  // Nothing was recorded before the first call: it only starts the first step.
  if (beat.end.ts_ns > start_.ts_ns) {
    confirm();
    close(beat.end, out);
  }
  open(Origin::kTraining, beat.end);
}

void StepMachine::finish(const Mark& now, std::vector<FoundStep>& out) {
  if (state_ == State::kComplete) {
    tail_ = {};
    close(update_, out);
  }
  if (region_) region_->add_to(outside_, now);
}

}  // namespace latido::analysis
