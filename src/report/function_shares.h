// Own and total time of each function over all its calls, from the sampled call paths.
//
// For the table beside the flame graph. Pure; does not recurse.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "report/flame_tree.h"

namespace latido::report {

struct FunctionShare {
  std::uint32_t function = 0;  // index into FlameTree::functions
  std::int64_t self_ns = 0;
  std::int64_t total_ns = 0;  // a function that calls itself counts once
  std::uint32_t line = 0;     // hottest of the path with the most own time; 0: not known

  bool operator==(const FunctionShare&) const = default;
};

// At most `most`, the most own time first; functions without time are left out.
std::vector<FunctionShare> function_shares(const FlameTree& tree, std::size_t most);

}  // namespace latido::report
