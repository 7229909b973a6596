// What a report says of the loss and of what that loss is.
//
// Called by the renderers' pieces. Pure.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "report/catalogue.h"
#include "report/run_summary.h"

namespace latido::report {

// With gradient accumulation: of how many backward calls the loss of a step is the mean. Else empty.
std::string loss_note(const analysis::RankFacts& rank, const Catalogue& catalogue);

// "loss 2.31 → 0.84", with its note.
std::string loss_text(const analysis::RankFacts& rank, const LossChange& change,
                      const Catalogue& catalogue);

}  // namespace latido::report
