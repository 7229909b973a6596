// The comparison's section with the call paths of the run after, coloured by what changed, and the
// functions whose time changed.
//
// Called by diff_html.cc. Open the page with PageScript::kFlame where has_flame_diff() holds.
#pragma once

#include "report/catalogue.h"
#include "report/diff.h"
#include "report/markup.h"

namespace latido::report {

// Whether both runs have sampled time; else there is no picture.
bool has_flame_diff(const DiffInput& diff) noexcept;

void html_flame_diff(Markup& page, const DiffInput& diff, const Catalogue& catalogue);
// The table; says where a run was not sampled. Nothing when neither was.
void html_function_changes(Markup& page, const DiffInput& diff, const Catalogue& catalogue);

}  // namespace latido::report
