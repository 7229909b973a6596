// Curves over time or steps: loss, processor, memory, disk and network.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "report/catalogue.h"
#include "report/markup.h"

namespace latido::report {

void write_loss_plot(Markup& page, const analysis::RankFacts& rank, const Catalogue& catalogue);

// Two runs' losses in one plot.
struct NamedRank {
  std::string name;
  const analysis::RankFacts& rank;
};
void write_loss_comparison(Markup& page, const NamedRank& before, const NamedRank& after,
                           const Catalogue& catalogue);

// One plot for each unit: cores, bytes, bytes a second, and whatever else there is.
void write_resource_plots(Markup& page, const analysis::RunFacts& facts,
                          const Catalogue& catalogue);

}  // namespace latido::report
