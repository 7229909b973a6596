// Own and total time of what sampled call paths are added up by: functions or lines.
//
// Used by sampled_functions.cc and sampled_lines.cc. Pure; does not recurse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <set>
#include <vector>

#include "model/call_tree.h"

namespace latido::analysis {

struct SampledSum {
  std::int64_t self_ns = 0;
  std::int64_t total_ns = 0;  // what is on a path twice counts once
};

// Of the processes `of`. `key_of` gives for each node of `calls` an index below `keys`.
std::vector<SampledSum> sum_paths(const model::CallTree& calls,
                                  const std::set<model::ProcessId>& of,
                                  const std::vector<std::uint32_t>& key_of, std::size_t keys);

}  // namespace latido::analysis
