// BeatReader: watches the spans of one thread and says what they mean for the step rule.
//
// Called by ThreadAnalysis with each begin, argument and closed span, in time order. Spans inside
// others that explain them are not beats: a forward inside a backward is recomputation, an optimizer
// inside itself is super().step(), one inside a backward belongs to it.
#pragma once

#include <cstdint>
#include <optional>

#include "analysis/beat.h"
#include "analysis/span_stack.h"

namespace latido::analysis {

class BeatReader {
 public:
  // After `stack` took the begin.
  std::optional<Beat> on_begin(const SpanStack& stack);
  // After an argument was set on the innermost span. Repairs the stack when it shows that an outer
  // step of the same optimizer raised and left no end.
  void on_arg(ArgName name, SpanStack& stack);

  // After `stack` closed `closed`. At most two beats: a backward, and the update inside it.
  struct Beats {
    std::optional<Beat> first;
    std::optional<Beat> second;
  };
  Beats on_close(const ClosedSpan& closed, const SpanStack& stack);

  Beat on_step_end(const Mark& now);

 private:
  Beats on_close_backward(const ClosedSpan& closed, const SpanStack& stack);
  std::optional<Beat> on_close_optimizer(const ClosedSpan& closed, const SpanStack& stack);
  std::optional<Beat> on_close_scaler(const ClosedSpan& closed) const;
  Beat noted(Beat beat) noexcept;

  std::optional<Mark> first_span_;  // for the first latido.step()
  std::uint32_t updates_in_scaler_ = 0;
  std::uint32_t updates_in_backward_ = 0;
  bool train_begin_is_last_ = false;  // no beat since the last kTrainBegin that it would add to
};

}  // namespace latido::analysis
