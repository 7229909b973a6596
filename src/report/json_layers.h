// The report JSON's object about layers. Called by json_ranks.cc only.
#pragma once

#include "analysis/run_facts.h"
#include "base/json_writer.h"

namespace latido::report {

// The key "layers" and its value; null when layers were not recorded.
void write_layers(JsonWriter& json, const analysis::LayerFacts& facts);

}  // namespace latido::report
