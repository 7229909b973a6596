// Which rank the others wait for: their steps are equally long then, so what is each rank's own tells it.
//
// Called by every format's section of the ranks. Pure.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "analysis/run_facts.h"
#include "report/catalogue.h"
#include "report/run_summary.h"

namespace latido::report {

// Mean time of a step without the phases in which ranks wait for each other: backward, since gradients
// are reduced while it runs, and communication.
std::int64_t own_step_ns(const analysis::RankFacts& rank) noexcept;

struct RankComparison {
  // Borrowed from the facts. Of the ranks with steady steps, by own time; the same one when all are even.
  const analysis::RankFacts* slowest = nullptr;
  const analysis::RankFacts* fastest = nullptr;
  double skew_ratio = 0;  // between those two, of the mean step
  // The slowest one holds the others up.
  bool straggles = false;
  model::Phase phase = model::Phase::kOther;  // in which the slowest loses most
};
// Empty when fewer than two ranks have steady steps.
std::optional<RankComparison> compare_ranks(const analysis::RunFacts& facts,
                                            const StepSummary& steps);

// "own time ms", "r0 6.2", "r1 26.1", "r1 is the straggler: other 20.2 ms against 0.2 of r0", …
std::vector<std::string> rank_pieces(const analysis::RunFacts& facts, const StepSummary& steps,
                                     const Catalogue& catalogue);
// "r1: data wait 0.3", "forward 1.2", …: where the step of a rank goes.
std::vector<std::string> rank_phase_pieces(const analysis::RankFacts& rank,
                                           const StepSummary& steps, const Catalogue& catalogue);

}  // namespace latido::report
