// Rule memory-growing: every step leaves something behind, until the memory limit ends the run.
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "diagnosis/finding_builder.h"
#include "diagnosis/rules/rules.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::ResourceFacts;
using model::Params;

// How much more the run can take, at the end of what was recorded.
std::optional<double> room_bytes(const ResourceFacts& resources) {
  std::optional<double> room = resources.memory_available_bytes;
  if (resources.memory_limit_bytes && resources.run_rss_peak_bytes) {
    const double below_limit =
        std::max(0.0, *resources.memory_limit_bytes - *resources.run_rss_peak_bytes);
    room = room ? std::min(*room, below_limit) : below_limit;
  }
  return room;
}

void add_use(FindingBuilder& finding, const ResourceFacts& resources) {
  Params use;
  set_known(use, "rss_bytes", resources.run_rss_peak_bytes);
  set_known(use, "limit_bytes", resources.memory_limit_bytes);
  if (!use.all.empty()) finding.evidence("memory_growing.evidence.use", use);
}

struct Growth {
  double per_step_bytes = 0;
  double grown_bytes = 0;         // over the steady steps
  std::optional<double> left_ns;  // until the limit, at this rate
  std::optional<double> steps_left;
};

Growth growth_of(const ResourceFacts& resources, const StepView& view) {
  Growth growth{.per_step_bytes = *resources.rss_growth_bytes_per_step,
                .grown_bytes = 0,
                .left_ns = std::nullopt,
                .steps_left = std::nullopt};
  growth.grown_bytes = growth.per_step_bytes * static_cast<double>(view.rank->stats.count);
  if (const std::optional<double> room = room_bytes(resources)) {
    growth.steps_left = *room / growth.per_step_bytes;
    growth.left_ns = *growth.steps_left * view.step_ns;
  }
  return growth;
}

// Each worker copies what it touches of the data, until all of it was touched once.
bool in_first_pass_of_workers(const StepView& view) {
  const auto& loader = view.rank->loader;
  return loader && loader->workers > 0 && loader->pass_batches == 0;
}

bool is_much(const Growth& growth, const analysis::RunFacts& facts, const StepView& view,
             const Thresholds& thresholds) {
  if (growth.grown_bytes < thresholds.memory_min_bytes) return false;
  const auto wall_ns = static_cast<double>(facts.run.wall_ns());
  if (growth.left_ns && *growth.left_ns <= thresholds.memory_horizon_runs * wall_ns) return true;
  if (in_first_pass_of_workers(view)) return false;
  const double rss = facts.resources.run_rss_peak_bytes.value_or(0);
  return growth.grown_bytes >= thresholds.memory_growth_bytes ||
         (rss > 0 && growth.grown_bytes >= thresholds.memory_growth_ratio * rss);
}

const analysis::ResourceCurve* rss_curve(const analysis::RunFacts& facts) {
  for (const analysis::ResourceCurve& curve : facts.curves) {
    if (curve.metric == "run.rss_bytes" && curve.ts_ns.size() == curve.values.size()) return &curve;
  }
  return nullptr;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  return *middle;
}

// Caches and workers that warm up grow as well, and then stop: in the second half of the steady steps a
// leak grows on at least at this share of its rate.
bool goes_on(const analysis::RunFacts& facts, const StepView& view, const Growth& growth,
             const Thresholds& thresholds) {
  constexpr std::size_t kFewest = 8;
  const analysis::ResourceCurve* curve = rss_curve(facts);
  if (curve == nullptr) return false;
  const std::int64_t end_ns = view.rank->steady_end_ns;
  const std::int64_t middle_ns = view.rank->steady_start_ns / 2 + end_ns / 2;
  std::vector<double> half;
  for (std::size_t i = 0; i < curve->values.size(); ++i) {
    if (curve->ts_ns[i] >= middle_ns && curve->ts_ns[i] <= end_ns) half.push_back(curve->values[i]);
  }
  if (half.size() < kFewest) return false;
  const auto cut = half.begin() + static_cast<std::ptrdiff_t>(half.size() / 2);
  const double grown = median({cut, half.end()}) - median({half.begin(), cut});
  // From the middle of the third quarter to that of the fourth is a quarter of the steps.
  return grown >= thresholds.memory_goes_on_ratio * growth.grown_bytes / 4;
}

bool is_long_enough(const StepView& view, const Thresholds& thresholds) {
  const auto steps = static_cast<double>(view.rank->stats.count);
  return steps >= thresholds.memory_min_steps ||
         steps * view.step_ns >= thresholds.memory_min_steps_ns;
}

CheckedFinding check_steps(const analysis::RunFacts& facts, const Thresholds& thresholds,
                           const StepView& view) {
  const ResourceFacts& resources = facts.resources;
  if (!resources.rss_growth_bytes_per_step || !resources.rss_growth_low_bytes_per_step ||
      *resources.rss_growth_low_bytes_per_step <= 0) {
    return std::nullopt;
  }
  const Growth growth = growth_of(resources, view);
  if (!is_long_enough(view, thresholds) || !is_much(growth, facts, view, thresholds) ||
      !goes_on(facts, view, growth, thresholds)) {
    return std::nullopt;
  }

  FindingBuilder finding("memory-growing", steady_window(facts));
  finding.confidence(0.8).action("memory_growing.action");
  Params headline = Params{}.set("growth_bytes_per_step", growth.per_step_bytes);
  const auto wall_ns = static_cast<double>(facts.run.wall_ns());
  if (growth.left_ns && *growth.left_ns <= thresholds.memory_horizon_runs * wall_ns) {
    headline.set("limit_bytes", resources.memory_limit_bytes.value_or(
                                    resources.run_rss_peak_bytes.value_or(0) +
                                    resources.memory_available_bytes.value_or(0)));
    headline.set("steps_left", std::llround(*growth.steps_left))
        .set("left_ns", whole_ns(*growth.left_ns));
    finding.headline("memory_growing.headline_limit", headline);
    // A run that would not live twice as long is lost as a whole.
    if (*growth.left_ns <= wall_ns) finding.run_saved(1.0);
  } else {
    finding.headline("memory_growing.headline", headline.set("grown_bytes", growth.grown_bytes));
  }
  finding.evidence(
      "memory_growing.evidence.growth",
      Params{}
          .set("growth_bytes_per_step", growth.per_step_bytes)
          .set("low_bytes_per_step", *resources.rss_growth_low_bytes_per_step)
          .set("high_bytes_per_step",
               resources.rss_growth_high_bytes_per_step.value_or(growth.per_step_bytes))
          .set("steps", static_cast<std::int64_t>(view.rank->stats.count)));
  add_use(finding, resources);
  return finding.take();
}

// Bytes a second in the second half of the curve; empty when it does not grow from each quarter of that
// half to the next: a program that has loaded its data is not one that leaks.
std::optional<double> rate_of_second_half(const analysis::ResourceCurve& curve) {
  constexpr std::size_t kParts = 4;
  const std::size_t half = curve.values.size() / 2;
  const std::size_t length = half / kParts;
  if (length < 5) return std::nullopt;
  std::vector<double> levels;
  for (std::size_t part = 0; part < kParts; ++part) {
    const auto begin = curve.values.begin() + static_cast<std::ptrdiff_t>(half + part * length);
    levels.push_back(median({begin, begin + static_cast<std::ptrdiff_t>(length)}));
    if (part > 0 && levels[part] <= levels[part - 1]) return std::nullopt;
  }
  const std::int64_t middle_to_middle_ns =
      curve.ts_ns[half + (kParts - 1) * length] - curve.ts_ns[half];
  if (middle_to_middle_ns <= 0) return std::nullopt;
  return (levels.back() - levels.front()) / (static_cast<double>(middle_to_middle_ns) / 1e9);
}

// A program that ended by itself had memory enough.
bool ended_well(const model::Run& run) { return run.end.kind == model::EndKind::kExit; }

CheckedFinding check_program(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const analysis::ResourceCurve* curve = rss_curve(facts);
  const std::optional<double> room = room_bytes(facts.resources);
  if (ended_well(facts.run) || curve == nullptr || !room) return std::nullopt;
  const std::optional<double> rate = rate_of_second_half(*curve);
  if (!rate) return std::nullopt;
  const auto wall_ns = static_cast<double>(facts.run.wall_ns());
  const double left_ns = *room / *rate * 1e9;
  const double grown = *rate * wall_ns / 2 / 1e9;
  if (grown < thresholds.memory_min_bytes || left_ns > thresholds.memory_horizon_runs * wall_ns) {
    return std::nullopt;
  }
  const ResourceFacts& resources = facts.resources;
  FindingBuilder finding("memory-growing", steady_window(facts));
  finding.confidence(0.6).action("memory_growing.action");
  finding.headline("memory_growing.headline_no_steps",
                   Params{}
                       .set("growth_bytes_per_s", *rate)
                       .set("limit_bytes", resources.memory_limit_bytes.value_or(
                                               resources.run_rss_peak_bytes.value_or(0) + *room))
                       .set("left_ns", whole_ns(left_ns)));
  finding.evidence(
      "memory_growing.evidence.growth_rate",
      Params{}.set("growth_bytes_per_s", *rate).set("window_ns", whole_ns(wall_ns / 2)));
  add_use(finding, resources);
  if (left_ns <= wall_ns) finding.run_saved(1.0);
  return finding.take();
}

}  // namespace

CheckedFinding check_memory_growing(const analysis::RunFacts& facts, const Thresholds& thresholds) {
  const std::optional<StepView> view = step_view(facts);
  return view ? check_steps(facts, thresholds, *view) : check_program(facts, thresholds);
}

}  // namespace latido::diagnosis
