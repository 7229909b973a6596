#include "diagnosis/interruption.h"

#include <algorithm>

namespace latido::diagnosis {

Interruption interruption(const StepView& view, std::int64_t outside_ns, std::uint32_t times,
                          model::OtherPart part) {
  const analysis::RankFacts& rank = *view.rank;
  Interruption found{.outside_ns = outside_ns, .times = times};
  found.mean_in_step_ns =
      std::max<std::int64_t>(0, rank.other_mean_ns[static_cast<std::size_t>(part)]);
  const auto with = std::ranges::count_if(rank.steps, [part](const model::Step& step) {
    return step.other_ns[static_cast<std::size_t>(part)] > 0;
  });
  found.steps_with = static_cast<std::uint32_t>(static_cast<std::uint64_t>(with) *
                                                std::max<std::uint64_t>(rank.step_stride, 1));
  found.in_steps_ns = found.mean_in_step_ns * static_cast<std::int64_t>(rank.stats.count);
  const std::int64_t wall_ns = rank.parts.sum_ns();
  if (wall_ns > 0) {
    found.run_ratio =
        static_cast<double>(found.outside_ns + found.in_steps_ns) / static_cast<double>(wall_ns);
  }
  return found;
}

model::Params time_params(const Interruption& interruption, const StepView& view,
                          const char* time_name, const char* times_name) {
  model::Params params;
  params.set(time_name, interruption.outside_ns)
      .set(times_name, std::int64_t{interruption.times})
      .set("steps_ns", view.rank->parts.steps_ns);
  if (interruption.times > 0) params.set("each_ns", interruption.outside_ns / interruption.times);
  return params;
}

}  // namespace latido::diagnosis
