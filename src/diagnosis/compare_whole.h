// compare_whole: two runs without steps beside each other: CPU time and the zones that took most.
//
// Called by compare(). One run each is one value each: nothing here can tell a change from noise. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "model/step.h"

namespace latido::diagnosis {

// Own time of one zone in all processes that were looked at; kNotMeasured in a run without it.
struct ZoneChange {
  std::string name;
  std::int64_t before_ns = model::kNotMeasured;
  std::int64_t after_ns = model::kNotMeasured;
};

struct WholeComparison {
  std::int64_t before_cpu_ns = model::kNotMeasured;  // of all processes
  std::int64_t after_cpu_ns = model::kNotMeasured;
  std::vector<ZoneChange> zones;  // at most 8, the longest of either run first
};

// Empty when a run has steady steps: those tell more.
std::optional<WholeComparison> compare_whole(const analysis::RunFacts& before,
                                             const analysis::RunFacts& after);

}  // namespace latido::diagnosis
