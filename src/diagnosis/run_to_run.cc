#include "diagnosis/run_to_run.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "diagnosis/contention.h"
#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

constexpr double kMostCost = 0.9;

// What is left of the distance to 1 after the spread: 1 when nothing is.
double surely(double speedup, const RunToRun& spread) {
  return speedup > 1 ? std::max(1.0, speedup / spread.slower)
                     : std::min(1.0, speedup * spread.faster);
}

}  // namespace

double contention_cost(const analysis::RunFacts& facts) {
  const std::optional<StepView> view = step_view(facts);
  const double others = foreign_cores(facts).value_or(0) / usable_cores(facts);
  if (!view || others <= 0) return 0;
  // Two threads of one core are up to 1.6 times slower than each alone (prediction.cc); up to half of the
  // cores in use, the system keeps them apart.
  constexpr double kSlowCores = 1.0 - 1.0 / 1.6;
  const double computing =
      view->rank->cpu_cores.value_or(facts.resources.main_cpu_cores.value_or(1.0));
  const double slower = kSlowCores * std::min(1.0, computing) * std::min(1.0, 2 * others);
  return std::clamp(core_wait(facts, *view).ns / view->step_ns + slower, 0.0, kMostCost);
}

RunToRun run_to_run(double before_cost, double after_cost, bool nothing_changed) noexcept {
  const double again = nothing_changed ? 1.0 + kAgainRatio : 1.0;
  return {.slower = again / (1.0 - before_cost), .faster = again / (1.0 - after_cost)};
}

analysis::StepComparison widened(analysis::StepComparison step, const RunToRun& spread) {
  constexpr double kQuantile = 1.96;  // of the 95 % interval, for many blocks
  const double error = std::log(step.speedup_high / step.speedup) / kQuantile;
  const double left = std::abs(std::log(surely(step.speedup, spread)));
  const double p_value = error > 0 ? std::erfc(left / error / std::sqrt(2.0)) : (left > 0 ? 0 : 1);
  step.p_value = std::max(step.p_value, p_value);
  step.speedup_low /= spread.slower;
  step.speedup_high *= spread.faster;
  step.more_than_noise = step.more_than_noise && (step.speedup_low > 1 || step.speedup_high < 1);
  step.difference_low =
      std::min(step.difference_low, step.before_mean * (1 / step.speedup_high - 1));
  step.difference_high =
      std::max(step.difference_high, step.before_mean * (1 / step.speedup_low - 1));
  step.detectable_ratio = (1 + step.detectable_ratio) * std::max(spread.slower, spread.faster) - 1;
  return step;
}

}  // namespace latido::diagnosis
