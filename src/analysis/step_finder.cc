#include "analysis/step_finder.h"

#include <algorithm>
#include <utility>

#include "analysis/update_rhythm.h"

namespace latido::analysis {
namespace {

bool is_new_update(const Beat& beat) noexcept {
  return beat.kind == BeatKind::kUpdate && !beat.continues;
}

}  // namespace

void StepFinder::note_activity(const Beat& beat) noexcept {
  if (beat.kind == BeatKind::kBackward) ++backwards_;
  const bool forward = beat.kind == BeatKind::kTrainBegin && !beat.by_optimizer;
  if (beat.kind == BeatKind::kWait || forward) ++other_activity_;
}

// The optimizer that stepped longest ago: whose turn it is, when an attempt does not say.
std::uint32_t StepFinder::due_optimizer() const noexcept {
  const auto it = std::min_element(
      optimizers_.begin(), optimizers_.end(),
      [](const Optimizer& a, const Optimizer& b) { return a.last_update < b.last_update; });
  return it == optimizers_.end() ? kUnknownId : it->id;
}

void StepFinder::classify_update(Beat& beat) {
  if (beat.id == kUnknownId) beat.id = due_optimizer();
  if (beat.id == kUnknownId) return;  // attempts that were skipped before any optimizer stepped
  const bool nothing_seen = backwards_ == 0 && other_activity_ == 0;
  const std::uint64_t activity = backwards_ > 0 ? backwards_ : other_activity_;
  auto it = std::find_if(optimizers_.begin(), optimizers_.end(),
                         [&beat](const Optimizer& each) { return each.id == beat.id; });
  if (it == optimizers_.end()) {
    beat.first_of_optimizer = !optimizers_.empty();
    if (optimizers_.size() >= kMaxOptimizers) {
      optimizers_.erase(optimizers_.begin());
      first_seen_.erase(first_seen_.begin());
    }
    optimizers_.push_back(Optimizer{.id = beat.id});
    first_seen_.push_back(beat.id);
    it = optimizers_.end() - 1;
  } else {
    beat.continues = !nothing_seen && it->last_activity == activity;
  }
  it->last_activity = activity;
  it->last_update = ++update_count_;
}

void StepFinder::add(Beat beat, std::vector<FoundStep>& out) {
  note_activity(beat);
  if (beat.kind == BeatKind::kUpdate) classify_update(beat);
  if (is_new_update(beat)) updates_.push_back(beat.id);
  if (beat.kind == BeatKind::kStepEnd && !api_) {
    api_ = true;
    machine_.use_api();
  }
  pending_.push_back(beat);
  consume_ready(out);
}

bool StepFinder::judge(const Beat& beat, std::size_t update, bool ended) const {
  if (machine_.uses_api()) return false;
  return ends_step(UpdateRhythm{.optimizers = updates_,
                                .at = update,
                                .ended = ended,
                                .first_of_optimizer = beat.first_of_optimizer,
                                .first_seen = first_seen_});
}

void StepFinder::consume_ready(std::vector<FoundStep>& out) {
  while (!pending_.empty()) {
    const Beat& beat = pending_.front();
    bool ends = false;
    if (is_new_update(beat)) {
      const bool known = updates_.size() > judged_ + kRhythmLookAhead;
      if (!known && !api_ && pending_.size() < kMaxPending) break;
      ends = judge(beat, judged_, !known);
      ++judged_;
    }
    machine_.consume(beat, ends, out);
    pending_.pop_front();
  }
  forget_old_updates();
}

void StepFinder::forget_old_updates() {
  constexpr std::size_t kSlack = 1024;
  if (judged_ < kRhythmLookBack + kSlack) return;
  const std::size_t drop = judged_ - kRhythmLookBack;
  updates_.erase(updates_.begin(), updates_.begin() + static_cast<std::ptrdiff_t>(drop));
  judged_ -= drop;
}

StepFinder::Rest StepFinder::flush(const Mark& now) const {
  Rest rest;
  StepMachine machine = machine_;
  std::size_t update = judged_;
  for (const Beat& beat : pending_) {
    const bool ends = is_new_update(beat) && judge(beat, update++, true);
    machine.consume(beat, ends, rest.steps);
  }
  rest.in_step = machine.in_step();
  machine.finish(now, rest.steps);
  rest.outside = machine.outside();
  return rest;
}

}  // namespace latido::analysis
