// ThreadAnalysis: everything that is learnt from the events of one thread.
//
// Owned by RunAnalysis, one a track. Takes the events in time order and keeps the open spans, the
// steps and what only this thread can tell. Not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

#include "analysis/beat_reader.h"
#include "analysis/function_stack.h"
#include "analysis/layer_samples.h"
#include "analysis/layer_table.h"
#include "analysis/span_stack.h"
#include "analysis/step_finder.h"
#include "analysis/step_series.h"
#include "analysis/zone_table.h"
#include "model/timeline.h"

namespace latido::analysis {

// How a loop went through the data of one loader.
struct LoaderPasses {
  std::uint64_t begun = 0;
  std::uint64_t batches = 0;       // of the present pass
  std::uint64_t last_batches = 0;  // of the last complete one; 0: none was
};

// The innermost recorded span that an exception left, and the user's zone around it.
struct RaisedIn {
  OpenSpan span;
  std::optional<model::SiteId> zone{};
  std::int64_t ts_ns = 0;
};

// Where a thread reports what concerns its whole process.
class SpanSink {
 public:
  virtual ~SpanSink() = default;
  virtual void on_begun(model::Category category) = 0;
  virtual void on_closed(const ClosedSpan& closed, bool in_step) = 0;
  // Zones that were reported as outside steps: the first latido.step() made them a part of its step.
  virtual void on_zones_of_first_step(const ZoneTable& zones) = 0;
  virtual void on_function(const FunctionCall& call, bool in_step) = 0;
  virtual void on_function_elided(model::SiteId site) = 0;
  virtual LayerTable& layers() = 0;
  // From `ts_ns` on; `number` is a model::Reduction if it is one.
  virtual void on_detail(std::int64_t ts_ns, std::uint64_t number) = 0;
};

class ThreadAnalysis {
 public:
  // `sink` must outlive this; `step_limit`: steps to keep.
  ThreadAnalysis(SpanSink& sink, std::size_t step_limit) : sink_(sink), steps_(step_limit) {}

  // Begin, end, argument, value or step instant of this thread; `role` is that of the event's site.
  void on_event(const model::Event& event, const SiteRole& role);

  const SpanStack& stack() const noexcept { return stack_; }
  const FunctionStack& functions() const noexcept { return functions_; }
  StepSeries& steps() noexcept { return steps_; }
  const StepSeries& steps() const noexcept { return steps_; }
  // Steps that are not in steps() yet, as if the recording ended now.
  StepFinder::Rest rest() const;
  bool uses_api() const noexcept { return finder_ && finder_->uses_api(); }
  // It has had an optimizer step or a latido.step(), so it may have steps.
  bool may_step() const noexcept {
    return finder_ && (finder_->has_updates() || finder_->uses_api());
  }
  bool in_step() const noexcept { return in_step_; }
  // nullptr for a loader that was not seen.
  const LoaderPasses* passes(std::uint32_t loader) const noexcept;
  // Updates seen so far, to divide times in steps by.
  std::uint64_t updates() const noexcept { return updates_; }
  std::uint64_t late_events() const noexcept { return late_; }
  // Where the last exception came from. Empty if none left a span, or if the training went on after it:
  // then the program caught it. A checkpoint or a zone after it may be the program's cleaning up.
  const std::optional<RaisedIn>& raised_in() const noexcept { return raised_in_; }

 private:
  void on_begin(const model::Event& event, model::Category category);
  void on_end(const model::Event& event);
  void on_function(const model::Event& event);
  void on_layer(const model::Event& event);
  void on_layer_sample(const model::Event& event);
  void note_pass(const Beat& beat);
  void note_raised(const ClosedSpan& closed);
  void on_value(const model::Event& event, ValueName name);
  void add(const Beat& beat);
  void credit_first_step(const Beat& beat);

  SpanSink& sink_;
  SpanStack stack_;
  FunctionStack functions_;
  LayerStack layer_calls_;
  LayerSamples samples_;
  BeatReader reader_;
  std::unique_ptr<StepFinder> finder_;  // most threads never train
  StepSeries steps_;
  std::vector<FoundStep> found_;  // reused
  std::optional<RaisedIn> raised_in_;
  std::map<std::uint32_t, LoaderPasses> passes_;
  ZoneTable early_zones_;  // before the first beat
  std::uint64_t updates_ = 0;
  std::uint64_t late_ = 0;
  bool in_step_ = false;
  bool updated_ = false;  // no backward since the last update
};

}  // namespace latido::analysis
