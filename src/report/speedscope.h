// The sampled call paths in the file format of speedscope, a viewer of profiles in the browser.
//
// One "sampled" profile per kind of time (CountedTime), each path one sample weighted with its time
// in nanoseconds: which time is when is not in a CallTree. Called by the export of a report. Pure.
#pragma once

#include <string>
#include <string_view>

#include "model/call_tree.h"

namespace latido::report {

// `name` is the run's; `exporter` our name and version.
std::string render_speedscope(const model::CallTree& tree, std::string_view name,
                              std::string_view exporter);

}  // namespace latido::report
