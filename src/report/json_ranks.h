// The "ranks" array of the JSON report. Called by json.cc only.
#pragma once

#include "analysis/run_facts.h"
#include "base/json_writer.h"

namespace latido::report {

void write_ranks(JsonWriter& json, const analysis::RunFacts& facts);

}  // namespace latido::report
