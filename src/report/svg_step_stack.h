// The step time over the run, its phases stacked: where slow steps are, and which phase made them so.
#pragma once

#include "analysis/run_facts.h"
#include "report/catalogue.h"
#include "report/markup.h"

namespace latido::report {

// Nothing when the rank has fewer than two steps. The scale reaches at least to `at_least_ns`.
void write_step_stack(Markup& page, const analysis::RankFacts& rank, const Catalogue& catalogue,
                      double at_least_ns = 0);

}  // namespace latido::report
