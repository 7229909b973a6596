#include "analysis/rank_facts.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <vector>

#include "analysis/block_bootstrap.h"
#include "analysis/detail_cost.h"
#include "analysis/summary.h"
#include "analysis/warmup.h"

namespace latido::analysis {

using model::Category;
using model::Phase;

namespace {

constexpr std::size_t kMaxLossPoints = 1000;

bool starts_with_any(std::string_view text, std::initializer_list<std::string_view> starts) {
  return std::any_of(starts.begin(), starts.end(), [text](std::string_view start) {
    return text.substr(0, start.size()) == start;
  });
}

// The recorder's name of the hook that sees the phase; "" where there is none.
std::string hook_of(Phase phase) {
  switch (phase) {
    case Phase::kDataWait:
      return "DataLoader";
    case Phase::kCommWait:
      return "distributed";
    case Phase::kForward:
    case Phase::kBackward:
    case Phase::kOptimizer:
      return std::string(model::to_text(phase));
    default:
      return {};
  }
}

std::string_view hook_state(const HookStates& hooks, Phase phase) {
  const auto it = hooks.find(hook_of(phase));
  return it == hooks.end() ? std::string_view() : std::string_view(it->second);
}

bool was_seen(const ProcessAnalysis& process, Phase phase) {
  switch (phase) {
    case Phase::kDataWait:
      return process.has_seen(Category::kDataWait);
    case Phase::kH2d:
      return process.has_seen(Category::kH2d);
    case Phase::kForward:
      return process.has_seen(Category::kForward);
    case Phase::kBackward:
      return process.has_seen(Category::kBackward);
    case Phase::kCommWait:
      return process.has_seen(Category::kCommWait);
    case Phase::kOptimizer:
      return process.has_seen(Category::kOptimizer) || process.has_seen(Category::kScalerStep) ||
             process.has_seen(Category::kZeroGrad) || process.has_seen(Category::kClipGrad);
    case Phase::kOther:
      return true;
  }
  return true;
}

// Message id of why no hook saw the phase.
std::string reason_for(const RankInput& input, Phase phase) {
  const std::string_view state = hook_state(input.hooks, phase);
  if (starts_with_any(state, {"absent"})) return "hook_absent";
  if (starts_with_any(state, {"failed"})) return "hook_failed";
  switch (phase) {
    case Phase::kDataWait:
      return "no_loader";
    case Phase::kH2d:
      return "no_device";
    case Phase::kCommWait:
      // Gradients are reduced while the backward runs, and its hook cannot tell them apart.
      return input.single_process ? "single_process" : "inside_backward";
    default:
      return "not_seen";
  }
}

// The steps of a thread: the sure ones and those that a later event could still change.
class RankSteps {
 public:
  RankSteps(const StepSeries& series, const StepFinder::Rest& rest)
      : series_(series),
        rest_(rest),
        first_(series.head().begin(), series.head().end()),
        sums_(series.sums()),
        sampled_(series.sampled()) {
    for (const FoundStep& found : rest_.steps) {
      sums_.add(found);
      if (found.step.sampled()) sampled_.add(found);
      if (first_.size() < kWarmupLookAhead) first_.push_back(found);
    }
    cut_warmup();
  }

  bool empty() const noexcept { return sums_.count == 0; }
  std::uint64_t count() const noexcept { return sums_.count; }
  std::uint64_t stride() const noexcept { return series_.stride(); }
  std::size_t warmup() const noexcept { return warmup_; }
  std::int64_t warmup_ns() const noexcept { return warmup_ns_; }
  // What means are taken of: without the sampled ones, which are slower, unless they are many.
  const StepSums& steady() const noexcept { return steady_; }
  // Sampled ones included.
  std::int64_t all_steady_ns() const noexcept { return all_steady_ns_; }
  std::uint64_t left_out() const noexcept { return left_out_; }
  const StepSums& all_sums() const noexcept { return sums_; }
  const OutsideTotals& outside() const noexcept { return rest_.outside; }
  std::int64_t first_start_ns() const noexcept { return first_.front().step.start_ns; }
  std::int64_t steady_start_ns() const noexcept {
    return warmup_ < first_.size() ? first_[warmup_].step.start_ns : last_end_ns();
  }
  std::int64_t last_end_ns() const noexcept {
    return rest_.steps.empty() ? series_.last_end_ns() : rest_.steps.back().step.end_ns();
  }

  std::vector<model::Step> all() const {
    std::vector<model::Step> steps;
    steps.reserve(series_.kept().size() + rest_.steps.size());
    steps.assign(series_.kept().begin(), series_.kept().end());
    std::uint64_t number = series_.count();
    for (const FoundStep& found : rest_.steps) {
      if (number++ % stride() == 0) steps.push_back(found.step);
    }
    for (std::size_t i = 0; i < steps.size() && i * stride() < warmup_; ++i) {
      steps[i].flags |= model::StepFlags::kWarmup;
    }
    return steps;
  }

 private:
  void cut_warmup() {
    std::vector<std::int64_t> walls_ns;
    walls_ns.reserve(first_.size());
    for (const FoundStep& found : first_) walls_ns.push_back(found.step.wall_ns);
    warmup_ = warmup_steps(walls_ns);
    steady_ = sums_;
    for (std::size_t i = 0; i < warmup_; ++i) {
      steady_.subtract(first_[i]);
      warmup_ns_ += first_[i].step.wall_ns;
      if (first_[i].step.sampled()) sampled_.subtract(first_[i]);
    }
    all_steady_ns_ = steady_.wall_ns;
    constexpr std::uint64_t kFew = 5;
    if (sampled_.count * kFew > steady_.count) return;
    left_out_ = sampled_.count;
    steady_.subtract(sampled_);
  }

  const StepSeries& series_;
  const StepFinder::Rest& rest_;
  std::vector<FoundStep> first_;
  StepSums sums_;
  StepSums sampled_;  // of the steady ones
  StepSums steady_;
  std::int64_t all_steady_ns_ = 0;
  std::uint64_t left_out_ = 0;
  std::size_t warmup_ = 0;
  std::int64_t warmup_ns_ = 0;
};

std::int64_t mean_of(std::int64_t sum, std::uint64_t count) {
  if (count == 0) return 0;
  return std::llround(static_cast<double>(sum) / static_cast<double>(count));
}

StepStats make_stats(const RankSteps& steps, const std::vector<model::Step>& all) {
  StepStats stats;
  stats.count = steps.steady().count;
  if (stats.count == 0) return stats;
  stats.mean_ns = mean_of(steps.steady().wall_ns, stats.count);
  std::vector<std::int64_t> walls_ns;
  std::vector<double> values;
  walls_ns.reserve(all.size());
  values.reserve(all.size());
  for (const model::Step& step : all) {
    if (step.warmup() || (step.sampled() && steps.left_out() > 0)) continue;
    walls_ns.push_back(step.wall_ns);
    values.push_back(static_cast<double>(step.wall_ns));
  }
  stats.p50_ns = quantile(std::span<std::int64_t>(walls_ns), 0.50);
  stats.p95_ns = quantile(std::span<std::int64_t>(walls_ns), 0.95);
  stats.p99_ns = quantile(std::span<std::int64_t>(walls_ns), 0.99);
  const BootstrapOptions cheap{.resamples = 400, .condense_to = 1024};
  stats.mean_half_width_ns = std::llround(mean_interval(values, cheap).half_width);
  return stats;
}

void set_phases(RankFacts& facts, const RankInput& input, const RankSteps& steps) {
  const StepSums& steady = steps.steady();
  for (const Phase phase : model::kPhases) {
    const auto i = static_cast<std::size_t>(phase);
    PhaseStats& stats = facts.phases[i];
    // A line search without gradients is forward, too, though no other forward may be seen.
    if (was_seen(input.process, phase) || steps.all_sums().phase_ns[i] != 0) {
      stats.mean_ns = mean_of(steady.phase_ns[i], steady.count);
      continue;
    }
    stats.mean_ns = model::kNotMeasured;
    stats.reason = reason_for(input, phase);
    for (model::Step& step : facts.steps) step.phase_ns[i] = model::kNotMeasured;
  }
  for (std::size_t i = 0; i < model::kOtherPartCount; ++i) {
    facts.other_mean_ns[i] = mean_of(steady.other_ns[i], steady.count);
  }
}

RunParts make_parts(const RankInput& input, const RankSteps& steps) {
  const std::int64_t total_ns = std::max<std::int64_t>(input.end_ns - input.start_ns, 0);
  RunParts parts;
  if (!steps.empty()) parts.startup_ns = steps.first_start_ns() - input.start_ns;
  parts.warmup_ns = steps.warmup_ns();
  parts.steps_ns = steps.all_steady_ns();
  parts.evaluation_ns = steps.outside().evaluation_ns;
  parts.checkpoint_ns = steps.outside().checkpoint_ns;
  parts.evaluations = steps.outside().evaluations;
  parts.checkpoints = steps.outside().checkpoints;
  parts.other_ns = total_ns - parts.sum_ns();
  return parts;
}

std::vector<SeriesPoint> loss_points(const RankFacts& facts) {
  std::vector<SeriesPoint> points;
  for (std::size_t i = 0; i < facts.steps.size(); ++i) {
    const float loss = facts.steps[i].loss;
    if (!std::isnan(loss)) points.push_back({.step = i * facts.step_stride, .value = loss});
  }
  if (points.size() <= kMaxLossPoints) return points;
  // The last one too: it is the one that people look at.
  std::vector<SeriesPoint> thinned;
  const double stride = static_cast<double>(points.size() - 1) / (kMaxLossPoints - 1);
  for (std::size_t i = 0; i < kMaxLossPoints; ++i) {
    thinned.push_back(
        points[static_cast<std::size_t>(std::lround(stride * static_cast<double>(i)))]);
  }
  return thinned;
}

}  // namespace

std::uint32_t main_loader(const ThreadAnalysis& thread, const StepFinder::Rest& rest) {
  std::map<std::uint32_t, std::uint64_t> steps;
  for (const LoaderCount& each : thread.steps().loaders()) steps[each.loader] += each.steps;
  for (const FoundStep& found : rest.steps) {
    if (found.loader != kUnknownId) ++steps[found.loader];
  }
  const auto it = std::max_element(
      steps.begin(), steps.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
  return it == steps.end() ? kUnknownId : it->first;
}

RankFacts make_rank_facts(const RankInput& input) {
  const RankSteps steps(input.thread.steps(), input.rest);
  RankFacts facts;
  facts.parts = make_parts(input, steps);
  facts.steps = steps.all();
  for (model::Step& step : facts.steps) {
    const auto reduction = static_cast<unsigned>(input.process.detail().at(step.end_ns()));
    step.flags |= static_cast<std::uint8_t>(reduction << model::StepFlags::kReductionShift);
  }
  facts.step_count = steps.count();
  facts.step_stride = steps.stride();
  const StepSums& steady = steps.steady();
  facts.sampled_steps_left_out = steps.left_out();
  facts.stats = make_stats(steps, facts.steps);
  set_phases(facts, input, steps);
  if (steps.empty()) return facts;
  facts.step_source = input.thread.uses_api() ? StepSource::kApi : StepSource::kOptimizer;
  facts.steady_start_ns = steps.steady_start_ns();
  facts.steady_end_ns = steps.last_end_ns();
  facts.loss = loss_points(facts);
  facts.detail_cost = detail_cost(facts.steps);
  if (steady.wall_ns > 0) {
    facts.samples_per_s =
        static_cast<double>(steady.samples) * 1e9 / static_cast<double>(steady.wall_ns);
  }
  if (input.process.has_seen(Category::kDataWait)) {
    LoaderFacts loader;
    loader.batches = steady.batches;
    loader.queue_empty = steady.queue_empty;
    facts.loader = loader;
  }
  return facts;
}

}  // namespace latido::analysis
