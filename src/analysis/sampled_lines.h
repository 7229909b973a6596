// Which lines of the program its sampled stacks were at, with their time.
//
// Pure: the text of a line is not known here (session/source_lines.h). Called by add_sampled_functions().
#pragma once

#include <set>
#include <vector>

#include "analysis/run_facts.h"

namespace latido::analysis {

inline constexpr std::size_t kMostLines = 100;

// At most kMostLines, the most own time first. Of the processes `of`. A line that is not known is left
// out.
std::vector<LineTime> sampled_lines(const model::CallTree& calls,
                                    const std::set<model::ProcessId>& of);

}  // namespace latido::analysis
