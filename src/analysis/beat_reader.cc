#include "analysis/beat_reader.h"

#include <algorithm>

namespace latido::analysis {

using model::Category;

namespace {

Beat make_beat(BeatKind kind, const ClosedSpan& closed) noexcept {
  Beat beat;
  beat.kind = kind;
  beat.begin = closed.span.begin;
  beat.end = closed.end;
  return beat;
}

std::uint32_t id_of(const SpanArgs& args, ArgName name) noexcept {
  return static_cast<std::uint32_t>(args.get(name).value_or(kUnknownId));
}

// Optimizers without a number are told apart by their call site.
std::uint32_t optimizer_of(const OpenSpan& span) noexcept {
  const auto number = span.args.get(ArgName::kOptimizer);
  if (number.has_value()) return static_cast<std::uint32_t>(*number) & 0x7FFF'FFFF;
  return 0x8000'0000U | static_cast<std::uint32_t>(span.site);
}

bool is_training_work(Category category) noexcept {
  return category == Category::kForward || category == Category::kBackward ||
         category == Category::kOptimizer || category == Category::kScalerStep;
}

// Only the stack's innermost span is inside nothing of the kind that hides it.
bool is_outermost_work(const SpanStack& stack, Category category) noexcept {
  std::uint32_t open = 0;
  for (const Category each :
       {Category::kForward, Category::kBackward, Category::kOptimizer, Category::kScalerStep,
        Category::kForwardNoGrad, Category::kDataWait, Category::kLoaderStart}) {
    open += stack.open_of(each);
  }
  return is_training_work(category) && open == 1;
}

std::optional<Beat> wait_beat(const ClosedSpan& closed, const SpanStack& stack) {
  const SpanArgs& args = closed.span.args;
  // A dataset that is itself fed by a loader; or a worker's exception, which delivers no batch.
  const bool nested =
      stack.open_of(Category::kDataWait) > 0 || stack.open_of(Category::kLoaderStart) > 0;
  if (nested || closed.cut || args.get(ArgName::kRaised).value_or(0) != 0) return std::nullopt;
  const bool stop = args.get(ArgName::kStop).value_or(0) != 0;
  Beat beat = make_beat(stop ? BeatKind::kStop : BeatKind::kWait, closed);
  beat.id = id_of(args, ArgName::kLoader);
  const auto ready = args.get(ArgName::kQueueReady);
  beat.queue_known = ready.has_value();
  beat.queue_empty = ready == std::uint64_t{0};
  const std::uint64_t samples = args.get(ArgName::kSamples).value_or(0);
  beat.samples = static_cast<std::uint32_t>(std::min<std::uint64_t>(samples, 0xFFFF'FFFF));
  beat.worker_pid = static_cast<std::uint32_t>(args.get(ArgName::kWorkerPid).value_or(0));
  return beat;
}

std::optional<Beat> no_grad_beat(const ClosedSpan& closed, const SpanStack& stack) {
  for (const Category outer :
       {Category::kDataWait, Category::kLoaderStart, Category::kBackward, Category::kOptimizer,
        Category::kScalerStep, Category::kForward, Category::kForwardNoGrad}) {
    if (stack.open_of(outer) > 0) return std::nullopt;
  }
  return make_beat(BeatKind::kNoGrad, closed);
}

}  // namespace

Beat BeatReader::noted(Beat beat) noexcept {
  const bool same_step = beat.kind == BeatKind::kTrainBegin || beat.kind == BeatKind::kBackward;
  train_begin_is_last_ = same_step;
  return beat;
}

std::optional<Beat> BeatReader::on_begin(const SpanStack& stack) {
  const OpenSpan& span = stack.open().back();
  if (!first_span_) first_span_ = span.begin;
  if (span.category == Category::kBackward && stack.open_of(Category::kBackward) == 1) {
    updates_in_backward_ = 0;
  }
  if (span.category == Category::kScalerStep) updates_in_scaler_ = 0;
  if (train_begin_is_last_ || !is_outermost_work(stack, span.category)) return std::nullopt;
  Beat beat;
  beat.kind = BeatKind::kTrainBegin;
  beat.by_optimizer =
      span.category == Category::kOptimizer || span.category == Category::kScalerStep;
  beat.begin = span.begin;
  beat.end = span.begin;
  return noted(beat);
}

void BeatReader::on_arg(ArgName name, SpanStack& stack) {
  if (name != ArgName::kOptimizer || stack.open_of(Category::kOptimizer) < 2) return;
  const auto& open = stack.open();
  const OpenSpan& inner = open.back();
  if (inner.category != Category::kOptimizer) return;
  const std::uint32_t id = optimizer_of(inner);
  for (std::size_t depth = 0; depth + 1 < open.size(); ++depth) {
    const OpenSpan& outer = open[depth];
    if (outer.category != Category::kOptimizer || optimizer_of(outer) != id) continue;
    // super().step() comes before any backward; after one, the outer step must have raised.
    const bool backward_between =
        inner.begin.spent(Bucket::kBackward) > outer.begin.spent(Bucket::kBackward);
    if (backward_between) stack.drop_between(depth);
    return;
  }
}

BeatReader::Beats BeatReader::on_close(const ClosedSpan& closed, const SpanStack& stack) {
  Beats beats;
  switch (closed.span.category) {
    case Category::kDataWait:
      beats.first = wait_beat(closed, stack);
      break;
    case Category::kLoaderStart:
      if (stack.open_of(Category::kDataWait) == 0) {
        beats.first = make_beat(BeatKind::kLoaderStart, closed);
        beats.first->id = id_of(closed.span.args, ArgName::kLoader);
      }
      break;
    case Category::kForwardNoGrad:
      beats.first = no_grad_beat(closed, stack);
      break;
    case Category::kBackward:
      beats = on_close_backward(closed, stack);
      break;
    case Category::kOptimizer:
      beats.first = on_close_optimizer(closed, stack);
      break;
    case Category::kScalerStep:
      beats.first = on_close_scaler(closed);
      break;
    case Category::kCheckpoint:
      if (stack.open_of(Category::kCheckpoint) == 0) {
        beats.first = make_beat(BeatKind::kCheckpoint, closed);
      }
      break;
    default:
      break;
  }
  if (beats.first) beats.first = noted(*beats.first);
  if (beats.second) beats.second = noted(*beats.second);
  return beats;
}

BeatReader::Beats BeatReader::on_close_backward(const ClosedSpan& closed, const SpanStack& stack) {
  if (stack.open_of(Category::kBackward) > 0) return {};
  Beats beats;
  beats.first = make_beat(BeatKind::kBackward, closed);
  if (updates_in_backward_ > 0) {
    beats.second = make_beat(BeatKind::kUpdate, closed);
    beats.second->id = kInBackwardId;
    beats.second->calls = updates_in_backward_;
  }
  updates_in_backward_ = 0;
  return beats;
}

std::optional<Beat> BeatReader::on_close_optimizer(const ClosedSpan& closed,
                                                   const SpanStack& stack) {
  const std::uint32_t id = optimizer_of(closed.span);
  const auto& open = stack.open();
  const bool inside_itself = std::any_of(open.begin(), open.end(), [id](const OpenSpan& outer) {
    return outer.category == Category::kOptimizer && optimizer_of(outer) == id;
  });
  if (inside_itself) return std::nullopt;
  ++updates_in_scaler_;
  if (stack.open_of(Category::kBackward) > 0) {
    ++updates_in_backward_;
    return std::nullopt;
  }
  Beat beat = make_beat(BeatKind::kUpdate, closed);
  beat.id = id;
  return beat;
}

std::optional<Beat> BeatReader::on_close_scaler(const ClosedSpan& closed) const {
  if (updates_in_scaler_ > 0) return std::nullopt;
  Beat beat = make_beat(BeatKind::kUpdate, closed);
  const auto number = closed.span.args.get(ArgName::kOptimizer);
  beat.id = number ? static_cast<std::uint32_t>(*number) & 0x7FFF'FFFF : kUnknownId;
  beat.skipped = true;
  beat.calls = 0;
  return beat;
}

Beat BeatReader::on_step_end(const Mark& now) {
  Beat beat;
  beat.kind = BeatKind::kStepEnd;
  beat.begin = first_span_.value_or(now);
  beat.end = now;
  return noted(beat);
}

}  // namespace latido::analysis
