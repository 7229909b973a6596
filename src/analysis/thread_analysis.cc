#include "analysis/thread_analysis.h"

namespace latido::analysis {

using model::Category;
using model::EventKind;

namespace {

// A program that does this after an exception has caught it and goes on.
bool goes_on(Category category) noexcept {
  switch (category) {
    case Category::kDataWait:
    case Category::kLoaderStart:
    case Category::kForward:
    case Category::kForwardNoGrad:
    case Category::kBackward:
    case Category::kOptimizer:
    case Category::kScalerStep:
      return true;
    default:
      return false;
  }
}

}  // namespace

void ThreadAnalysis::on_event(const model::Event& event, const SiteRole& role) {
  if (event.ts_ns < stack_.now().ts_ns) ++late_;
  if (role.category == Category::kFunction) return on_function(event);
  if (role.category == Category::kLayer) return on_layer(event);
  if (role.category == Category::kLayerSample) return on_layer_sample(event);
  switch (event.kind) {
    case EventKind::kBegin:
      return on_begin(event, role.category);
    case EventKind::kEnd:
      return on_end(event);
    case EventKind::kArg:
      if (OpenSpan* const span = stack_.innermost(); span != nullptr) {
        span->args.set(role.arg, event.payload);
        reader_.on_arg(role.arg, stack_);
      }
      return;
    case EventKind::kValue:
      if (role.value != ValueName::kOther) on_value(event, role.value);
      return;
    case EventKind::kInstant:
      stack_.advance(event.ts_ns);
      if (role.category == Category::kStep) add(reader_.on_step_end(stack_.now()));
      if (role.category == Category::kDetail) sink_.on_detail(event.ts_ns, event.payload);
      return;
    case EventKind::kText:
      return stack_.advance(event.ts_ns);
  }
}

void ThreadAnalysis::on_begin(const model::Event& event, Category category) {
  if (raised_in_ && goes_on(category)) raised_in_.reset();
  if (!stack_.begin(event.site, category, event.ts_ns)) return;
  sink_.on_begun(category);
  if (const auto beat = reader_.on_begin(stack_)) add(*beat);
}

void ThreadAnalysis::on_end(const model::Event& event) {
  stack_.advance(event.ts_ns);
  for (std::size_t left = stack_.count_closing(event.site); left > 0; --left) {
    const ClosedSpan closed = stack_.close(event.ts_ns, left > 1);
    const BeatReader::Beats beats = reader_.on_close(closed, stack_);
    if (beats.first) add(*beats.first);
    if (beats.second) add(*beats.second);
    sink_.on_closed(closed, in_step_);
    if (!finder_ && closed.span.category == Category::kZone) early_zones_.add(closed, true);
    if (const auto pass = closed.span.args.get(ArgName::kPass)) {
      sink_.layers().on_pass(event.track, *pass, closed.span.begin.ts_ns, closed.end.ts_ns);
    }
    if (beats.first && beats.first->skipped) sink_.layers().on_skipped(event.track);
    if (closed.span.args.get(ArgName::kRaised).value_or(0) != 0) {
      note_raised(closed);
    } else if (raised_in_ && closed.span.category == Category::kZone && !closed.cut &&
               closed.span.begin.ts_ns <= raised_in_->span.begin.ts_ns) {
      raised_in_.reset();  // it did not get out of this zone
    }
  }
}

void ThreadAnalysis::on_function(const model::Event& event) {
  switch (event.kind) {
    case EventKind::kBegin:
      return functions_.begin(event.site, event.ts_ns);
    case EventKind::kEnd:
      return functions_.end(event.site, event.ts_ns, [this](const FunctionCall& call) {
        sink_.on_function(call, in_step_);
      });
    case EventKind::kInstant:
      return sink_.on_function_elided(event.site);
    default:
      return;
  }
}

void ThreadAnalysis::on_layer(const model::Event& event) {
  switch (event.kind) {
    case EventKind::kBegin:
      return layer_calls_.begin(event.site, event.ts_ns);
    case EventKind::kEnd: {
      const bool recomputed = stack_.open_of(Category::kBackward) > 0;
      return layer_calls_.end(event.site, event.ts_ns, [&](const LayerCall& call) {
        sink_.layers().on_call(event.track, call, recomputed);
      });
    }
    case EventKind::kInstant:
      return sink_.layers().on_mark(event.track, event.site, event.payload, event.ts_ns);
    default:
      return;
  }
}

void ThreadAnalysis::on_layer_sample(const model::Event& event) {
  switch (event.kind) {
    case EventKind::kBegin:
      return layer_calls_.begin_cost(event.ts_ns);
    case EventKind::kEnd:
      return layer_calls_.end_cost(event.ts_ns);
    case EventKind::kInstant:
      layer_calls_.clear();
      samples_.add(event.payload, event.ts_ns);
      return sink_.layers().on_sampling(event.track, event.payload, event.ts_ns);
    default:
      return;
  }
}

void ThreadAnalysis::note_raised(const ClosedSpan& closed) {
  // A span around the one that it came from: the exception is only passing.
  if (raised_in_ && closed.span.begin.ts_ns <= raised_in_->ts_ns) return;
  RaisedIn raised{.span = closed.span, .ts_ns = closed.end.ts_ns};
  if (closed.span.category == Category::kZone) raised.zone = closed.span.site;
  const auto& open = stack_.open();
  for (auto it = open.rbegin(); it != open.rend() && !raised.zone; ++it) {
    if (it->category == Category::kZone) raised.zone = it->site;
  }
  raised_in_ = raised;
}

void ThreadAnalysis::on_value(const model::Event& event, ValueName name) {
  stack_.advance(event.ts_ns);
  if (!finder_) return;
  Beat beat;
  beat.kind = BeatKind::kValue;
  beat.value_name = name;
  beat.value = event.value();
  beat.begin = stack_.now();
  beat.end = stack_.now();
  add(beat);
}

void ThreadAnalysis::note_pass(const Beat& beat) {
  // A program that makes a loader for each epoch must not grow the table for ever.
  constexpr std::size_t kMostLoaders = 64;
  if (passes_.size() >= kMostLoaders && !passes_.contains(beat.id)) return;
  LoaderPasses& passes = passes_[beat.id];
  switch (beat.kind) {
    case BeatKind::kLoaderStart:
      ++passes.begun;
      passes.batches = 0;
      return;
    case BeatKind::kWait:
      ++passes.batches;
      return;
    case BeatKind::kStop:
      passes.last_batches = passes.batches;
      passes.batches = 0;
      return;
    default:
      return;
  }
}

const LoaderPasses* ThreadAnalysis::passes(std::uint32_t loader) const noexcept {
  const auto it = passes_.find(loader);
  return it == passes_.end() ? nullptr : &it->second;
}

void ThreadAnalysis::add(const Beat& beat) {
  const bool of_loader = beat.kind == BeatKind::kLoaderStart || beat.kind == BeatKind::kWait ||
                         beat.kind == BeatKind::kStop;
  if (of_loader) note_pass(beat);
  switch (beat.kind) {
    case BeatKind::kWait:
    case BeatKind::kTrainBegin:
      in_step_ = true;
      break;
    case BeatKind::kStop:
    case BeatKind::kLoaderStart:
      in_step_ = false;
      break;
    case BeatKind::kNoGrad:
      if (updated_) in_step_ = false;
      break;
    case BeatKind::kBackward:
      updated_ = false;
      break;
    case BeatKind::kUpdate:
      updated_ = true;
      if (!beat.continues) ++updates_;
      break;
    case BeatKind::kStepEnd:
      in_step_ = true;
      break;
    default:
      break;
  }
  const bool first = !finder_;
  if (first) finder_ = std::make_unique<StepFinder>();
  found_.clear();
  finder_->add(beat, found_);
  if (first) credit_first_step(beat);
  for (FoundStep& found : found_) {
    samples_.mark(found.step);
    steps_.add(found);
  }
}

// Without torch nothing tells that a step has begun, until its end is told.
void ThreadAnalysis::credit_first_step(const Beat& beat) {
  const bool spans_them = beat.kind == BeatKind::kStepEnd && beat.begin.ts_ns < beat.end.ts_ns;
  if (spans_them && !early_zones_.empty()) sink_.on_zones_of_first_step(early_zones_);
  early_zones_ = {};
}

StepFinder::Rest ThreadAnalysis::rest() const {
  if (!finder_) return {};
  StepFinder::Rest rest = finder_->flush(stack_.now());
  for (FoundStep& found : rest.steps) samples_.mark(found.step);
  return rest;
}

}  // namespace latido::analysis
