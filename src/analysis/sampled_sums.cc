#include "analysis/sampled_sums.h"

#include "analysis/counted_calls.h"

namespace latido::analysis {

std::vector<SampledSum> sum_paths(const model::CallTree& calls,
                                  const std::set<model::ProcessId>& of,
                                  const std::vector<std::uint32_t>& key_of, std::size_t keys) {
  std::vector<SampledSum> sums(keys);
  std::vector<std::size_t> seen_in(keys, 0);  // time's number + 1
  for (std::size_t i = 0; i < calls.times.size(); ++i) {
    const model::CallTime& time = calls.times[i];
    const std::int64_t ns = counted_ns(time);
    if (ns == 0 || !of.contains(time.process) || time.node == model::CallTree::kRoot) continue;
    sums[key_of[time.node]].self_ns += ns;
    for (std::uint32_t node = time.node; node != model::CallTree::kRoot;
         node = calls.nodes[node].parent) {
      const std::uint32_t key = key_of[node];
      if (seen_in[key] == i + 1) continue;
      seen_in[key] = i + 1;
      sums[key].total_ns += ns;
    }
  }
  return sums;
}

}  // namespace latido::analysis
