// What the tables by layer say around and inside their rows, in every format.
#pragma once

#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"
#include "report/layer_rows.h"

namespace latido::report {

// "own time, of 41.2 ms", "mean of 6 sampled steps".
std::vector<std::string> layer_pieces(const analysis::LayerFacts& facts,
                                      const Catalogue& catalogue);

// One a model: "Net: forward 12.1 ms, backward 26 ms, 4.2 M parameters, …".
std::vector<std::string> model_pieces(const analysis::LayerFacts& facts,
                                      const Catalogue& catalogue);

// What is not in the table, and why; what sampling does to other means.
std::vector<std::string> layer_notes(const analysis::RankFacts& rank, const Catalogue& catalogue);

// "encoder.layers.*.linear1 ×12".
std::string row_name(const LayerRow& row);
// Where there is no column for the class: "5" or "*" alone says nothing. "5 Linear", "* Conv2d ×2".
std::string row_name_by_itself(const LayerRow& row);

// The share of a sampled step, 0 when that is not known.
double own_share(const analysis::LayerFacts& facts, const analysis::LayerTime& layer);

// "412 GFLOP/s", "1.3 GFLOP", "4.2 M", "96 MiB"; the sign of "not measured" where there is none.
std::string flops_per_s_text(const analysis::LayerTime& layer, const Catalogue& catalogue);
std::string flops_text(std::int64_t flops, const Catalogue& catalogue);
std::string count_text(std::int64_t count, const Catalogue& catalogue);
std::string bytes_text(std::int64_t bytes, const Catalogue& catalogue);

}  // namespace latido::report
