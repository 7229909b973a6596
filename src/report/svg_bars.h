// Bars: a whole split into parts, before and after a fix, and how busy each worker was.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "model/finding.h"
#include "report/catalogue.h"
#include "report/markup.h"

namespace latido::report {

struct BarPart {
  std::string text;       // said when pointed at
  std::string css_class;  // one of ours
  double ratio = 0;       // of the whole
};
// One bar over the full width.
void write_split_bar(Markup& page, const std::string& title, const std::vector<BarPart>& parts);

// A small bar of `ratio` for a table cell; its number stands beside it, so that it is hidden from
// screen readers.
void write_cell_bar(Markup& page, double ratio, std::string_view css_class);

// The step before and after, with the interval of the prediction.
void write_gain_bars(Markup& page, const model::Gain& gain, const Catalogue& catalogue);

// One lane for each worker of each rank.
void write_worker_lanes(Markup& page, const analysis::RunFacts& facts, const Catalogue& catalogue);

}  // namespace latido::report
