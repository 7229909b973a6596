// The HTML report's section with the sampled call paths: an icicle to zoom and search in, and the
// functions with the most time as a table.
//
// Called by html.cc. The picture needs the one script that the page's policy then allows: open the
// page with PageScript::kFlame where has_flame() holds.
#pragma once

#include "model/call_tree.h"
#include "report/html_sections.h"

namespace latido::report {

// Whether there is time to draw; else html_flame() writes nothing.
bool has_flame(const model::CallTree& tree) noexcept;

void html_flame(HtmlReport& report, const model::CallTree& tree);

}  // namespace latido::report
