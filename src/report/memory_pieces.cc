#include "report/memory_pieces.h"

#include <algorithm>

#include "report/run_summary.h"

namespace latido::report {
namespace {

// Fewer samples of a phase say little about it.
constexpr std::uint64_t kFewestSamples = 5;

std::int64_t peak_bytes(const analysis::RunFacts& facts, const analysis::RankFacts& rank) {
  std::int64_t peak = rank.memory->outside.peak_bytes;
  for (const analysis::MemoryUse& use : rank.memory->phases) peak = std::max(peak, use.peak_bytes);
  for (const analysis::ProcessFacts& use : facts.process_use) {
    if (use.process == rank.process) peak = std::max(peak, use.rss_peak_bytes);
  }
  return peak;
}

}  // namespace

std::vector<std::string> memory_pieces(const analysis::RunFacts& facts,
                                       const Catalogue& catalogue) {
  std::vector<std::string> out;
  const analysis::RankFacts* const rank = lead_rank(facts);
  if (rank == nullptr || !rank->memory || rank->step_count == 0) return out;
  out.push_back(catalogue.say("memory.peak", {{"peak_bytes", peak_bytes(facts, *rank)}}));
  for (const model::Phase phase : model::kPhases) {
    const analysis::MemoryUse& use = rank->memory->phases[static_cast<std::size_t>(phase)];
    if (use.samples < kFewestSamples) continue;
    out.push_back(catalogue.say("memory.phase", {{"phase", std::string(to_text(phase))},
                                                 {"mean_bytes", use.mean_bytes},
                                                 {"peak_bytes", use.peak_bytes}}));
  }
  const analysis::ResourceFacts& use = facts.resources;
  if (use.rss_growth_bytes_per_step) {
    model::Message message{.id = "memory.growth", .params = {}};
    message.params.set("growth_bytes_per_step", *use.rss_growth_bytes_per_step);
    if (use.rss_growth_low_bytes_per_step && use.rss_growth_high_bytes_per_step) {
      message.params.set("low_bytes_per_step", *use.rss_growth_low_bytes_per_step)
          .set("high_bytes_per_step", *use.rss_growth_high_bytes_per_step);
    }
    out.push_back(catalogue.say(message));
  }
  return out;
}

}  // namespace latido::report
