// The report as JSON, schema 1: docs/formats/report.md is its manual.
//
// Used by --format json, by tests and by other programs. Language-independent: findings are message
// ids with parameters. Times are int64 ns, start_ns relative to the start of the run; ratios are 0..1;
// what is unknown is null. Pure.
#pragma once

#include <string>

#include "analysis/run_facts.h"
#include "model/finding.h"

namespace latido::report {

inline constexpr int kJsonSchema = 1;

// One object and a newline.
std::string render_json(const analysis::RunFacts& facts, const model::Diagnosis& diagnosis);

}  // namespace latido::report
