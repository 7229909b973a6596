#include "analysis/counted_calls.h"

#include <algorithm>

namespace latido::analysis {

std::int64_t counted_ns(const model::CallTime& time) noexcept {
  return time.main_thread ? time.busy_ns + time.idle_ns : time.busy_ns;
}

model::CallTree counted_calls(const RunFacts& facts) {
  model::CallTree calls = facts.calls;
  for (model::CallTime& time : calls.times) {
    const std::size_t process = model::index_of(time.process);
    if (process < facts.processes.size() &&
        facts.processes[process].role == model::ProcessRole::kWorker) {
      time.main_thread = false;
    }
  }
  return calls;
}

double sample_interval_ns(const model::CallTree& calls) noexcept {
  double sum_ns = 0;
  for (const model::CallTime& time : calls.times) {
    sum_ns += static_cast<double>(std::max<std::int64_t>(time.busy_ns, 0)) +
              static_cast<double>(std::max<std::int64_t>(time.idle_ns, 0));
  }
  const model::SamplingCounts& counts = calls.counts;
  if (counts.stacks <= counts.invalid) return 0;
  return sum_ns / static_cast<double>(counts.stacks - counts.invalid);
}

}  // namespace latido::analysis
