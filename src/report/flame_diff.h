// FlameDiff: the call paths of a run with how much each took in another one.
//
// For the picture of `latido diff` (html_flame_diff.h). Pure; does not recurse. A path is the same in
// both when its functions are, by qualified name and file.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "analysis/function_changes.h"
#include "report/flame_tree.h"

namespace latido::report {

// A path of the run before that the run after has not: where it leaves what both have.
struct GonePath {
  std::vector<std::uint32_t> functions;  // of FlameDiff::before, the outermost first
  std::int64_t before_ns = 0;            // as FlameNode::before_ns
};

struct FlameDiff {
  FlameTree before;
  // before_ns of each node: what the path took for as much work as the run after did (as many steps,
  // or as much time in all); 0 when it was not there.
  FlameTree after;
  std::vector<GonePath> gone;  // by more than chance; most time first
};

FlameDiff compare_flames(const analysis::RunFacts& before, const analysis::RunFacts& after,
                         const analysis::FunctionChanges& changes);

// How a node changed, for its colour: 0 not by more than chance; ±1 by less than a quarter, ±2 by less
// than half, ±3 by more, or new. `tested`: how many are looked at together.
int change_level(const FlameNode& node, const analysis::FunctionChanges& changes,
                 std::size_t tested) noexcept;

}  // namespace latido::report
