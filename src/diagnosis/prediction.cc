#include "diagnosis/prediction.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace latido::diagnosis {
namespace {

std::int64_t to_ns(double ns) { return std::llround(std::clamp(ns, 0.0, 9e18)); }

// Two hardware threads of one core together do 1.2 to 1.3 times the work of one, so that each of them is
// up to 1.6 times slower than alone; full clocks, caches and memory are shared too. Whether cores are
// such threads, a virtual machine does not say. On one with two of them, three pairs of runs were 1.2 to
// 1.4 times slower than with this left out (docs/rules/input-bound.md).
constexpr double kLikelySlowDown = 0.3;
constexpr double kMostSlowDown = 0.6;

// Of each kind of work from having more cores busy beside it than when it was measured, `full` with all of
// them. Up to half of the cores, the system gives each busy thread a core of its own.
SlowDown slow_down_of_cores(const Pipeline& pipeline, std::uint32_t before, std::uint32_t after,
                            double full) {
  constexpr double kOwnCores = 0.5;
  const double busy_after = busy_ratio(pipeline, after);
  const auto from = [&](double busy_before) {
    const double more = (busy_after - std::max(kOwnCores, busy_before)) / (1.0 - kOwnCores);
    return 1.0 + full * std::clamp(more, 0.0, 1.0);
  };
  // Without workers, computing and making take turns: each was measured with its own threads alone.
  const double together = before == 0 ? 0 : busy_ratio(pipeline, before);
  return {.computing = from(std::max(together, pipeline.compute_cores / pipeline.cores)),
          .making = from(std::max(together, pipeline.make_cpu_ratio / pipeline.cores))};
}

}  // namespace

void IntervalBuilder::add(std::string_view message_id, double one_end_ns, double other_end_ns) {
  contributors_.push_back({message_id, std::min({one_end_ns, other_end_ns, central_ns_}),
                           std::max({one_end_ns, other_end_ns, central_ns_})});
}

model::Gain IntervalBuilder::gain(double step_before_ns, double floor_ns) const {
  double below = 0;
  double above = 0;
  for (const Contributor& c : contributors_) {
    below += (central_ns_ - c.low_ns) * (central_ns_ - c.low_ns);
    above += (c.high_ns - central_ns_) * (c.high_ns - central_ns_);
  }
  const double low = std::min(central_ns_, std::max(floor_ns, central_ns_ - std::sqrt(below)));
  return {.step_before_ns = to_ns(step_before_ns),
          .step_after_ns = to_ns(central_ns_),
          .low_ns = to_ns(low),
          .high_ns = to_ns(central_ns_ + std::sqrt(above))};
}

model::Message IntervalBuilder::widest(const model::Gain& gain) const {
  const auto width = [](const Contributor& c) { return c.high_ns - c.low_ns; };
  const auto it = std::ranges::max_element(contributors_, {}, width);
  return {.id = std::string(it->message_id),
          .params = model::Params{}.set("low_ns", gain.low_ns).set("high_ns", gain.high_ns)};
}

bool is_vague(const model::Gain& gain) noexcept {
  constexpr std::int64_t kMostSpread = 4;
  return gain.high_ns > kMostSpread * gain.low_ns;
}

Prediction predict_pipeline(const Pipeline& measured, const PipelineUncertainty& uncertainty,
                            std::uint32_t workers, double step_before_ns) {
  const auto on_slow_cores = [&](double full) {
    return slowed(measured,
                  slow_down_of_cores(measured, uncertainty.workers_before, workers, full));
  };
  const Pipeline pipeline = on_slow_cores(kLikelySlowDown);
  const auto with = [&](double Pipeline::*field, double value) {
    Pipeline changed = pipeline;
    changed.*field = value;
    return predict_step_ns(changed, workers);
  };
  const double central = predict_step_ns(pipeline, workers);
  IntervalBuilder interval(central);
  const double half = uncertainty.compute_half_width_ns;
  interval.add("interval.noise",
               with(&Pipeline::compute_ns, std::max(0.0, pipeline.compute_ns - half)),
               with(&Pipeline::compute_ns, pipeline.compute_ns + half));
  interval.add("interval.batch_time",
               with(&Pipeline::make_ns, pipeline.make_ns * uncertainty.make_low_factor),
               with(&Pipeline::make_ns, pipeline.make_ns * uncertainty.make_high_factor));
  interval.add("interval.contention", with(&Pipeline::unfairness, pipeline.unfairness / 2),
               std::max(with(&Pipeline::unfairness, pipeline.unfairness * 2),
                        central * (1.0 + uncertainty.misfit_ratio)));
  interval.add("interval.transfer", with(&Pipeline::transfer_ns, pipeline.transfer_ns / 3),
               with(&Pipeline::transfer_ns, pipeline.transfer_ns * 3));
  interval.add("interval.full_cores", predict_step_ns(measured, workers),
               predict_step_ns(on_slow_cores(kMostSlowDown), workers));
  if (!uncertainty.compute_cores_known) {
    interval.add("interval.compute_cores", with(&Pipeline::compute_cores, 1.0),
                 with(&Pipeline::compute_cores, pipeline.cores));
  }
  // Nothing makes a step shorter than its computing alone, unless that was measured too long.
  const double floor = std::max(0.0, measured.compute_ns - half);
  const model::Gain gain = interval.gain(step_before_ns, floor);
  return {gain, interval.widest(gain)};
}

Prediction predict_saving(const StepView& view, const Saving& saving) {
  const double central = view.step_ns - saving.saved_ns;
  IntervalBuilder interval(central);
  interval.add("interval.fix", view.step_ns - saving.most_ns, view.step_ns - saving.least_ns);
  interval.add("interval.noise", central - view.half_width_ns, central + view.half_width_ns);
  const model::Gain gain = interval.gain(view.step_ns, view.step_ns - saving.most_ns);
  return {gain, interval.widest(gain)};
}

}  // namespace latido::diagnosis
