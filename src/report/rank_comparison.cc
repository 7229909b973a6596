#include "report/rank_comparison.h"

#include <algorithm>
#include <array>

#include "report/report_pieces.h"

namespace latido::report {
namespace {

using analysis::RankFacts;
using model::Phase;

constexpr std::array<Phase, 2> kTogether{Phase::kBackward, Phase::kCommWait};
constexpr double kStraggles = 0.10;

bool is_own(Phase phase) { return std::ranges::find(kTogether, phase) == kTogether.end(); }

std::int64_t phase_ns(const RankFacts& rank, Phase phase) {
  return std::max<std::int64_t>(rank.phases[static_cast<std::size_t>(phase)].mean_ns, 0);
}

std::int64_t waited_ns(const RankFacts& rank) {
  std::int64_t sum_ns = 0;
  for (const Phase phase : kTogether) sum_ns += phase_ns(rank, phase);
  return sum_ns;
}

// Of the phases that pass, the one in which `more` takes most longer than `less`.
template <typename Passes>
Phase most_longer(const RankFacts& more, const RankFacts& less, Passes passes) {
  std::optional<Phase> most;
  const auto gap = [&](Phase phase) { return phase_ns(more, phase) - phase_ns(less, phase); };
  for (const Phase phase : model::kPhases) {
    if (passes(phase) && (!most || gap(phase) > gap(*most))) most = phase;
  }
  return most.value_or(Phase::kOther);
}

std::string phase_name(Phase phase, const Catalogue& catalogue) {
  return catalogue.say("phase." + std::string(model::to_text(phase)));
}

std::vector<const RankFacts*> ranks_with_steps(const analysis::RunFacts& facts) {
  std::vector<const RankFacts*> ranks;
  for (const RankFacts& rank : facts.ranks) {
    if (rank.stats.count > 0) ranks.push_back(&rank);
  }
  return ranks;
}

void append_straggler(const RankComparison& compared, const StepUnit& unit,
                      const Catalogue& catalogue, std::vector<std::string>& out) {
  const auto shown = [&](const RankFacts& rank, Phase phase) {
    return catalogue.number().fixed(static_cast<double>(phase_ns(rank, phase)) / unit.size_ns,
                                    unit.decimals);
  };
  const RankFacts& slow = *compared.slowest;
  const RankFacts& fast = *compared.fastest;
  out.push_back(catalogue.say("ranks.straggler", {{"name", rank_name(slow)},
                                                  {"part", phase_name(compared.phase, catalogue)},
                                                  {"most", shown(slow, compared.phase)},
                                                  {"unit", unit.name},
                                                  {"least", shown(fast, compared.phase)},
                                                  {"other", rank_name(fast)}}));
  const Phase waits = most_longer(fast, slow, [](Phase phase) { return !is_own(phase); });
  if (phase_ns(fast, waits) <= phase_ns(slow, waits)) return;
  out.push_back(catalogue.say("ranks.waits_for_it", {{"name", rank_name(fast)},
                                                     {"part", phase_name(waits, catalogue)},
                                                     {"most", shown(fast, waits)},
                                                     {"unit", unit.name},
                                                     {"least", shown(slow, waits)}}));
}

}  // namespace

std::int64_t own_step_ns(const RankFacts& rank) noexcept {
  std::int64_t sum_ns = 0;
  for (const Phase phase : model::kPhases) {
    if (is_own(phase)) sum_ns += phase_ns(rank, phase);
  }
  return sum_ns;
}

std::optional<RankComparison> compare_ranks(const analysis::RunFacts& facts,
                                            const StepSummary& steps) {
  const std::vector<const RankFacts*> ranks = ranks_with_steps(facts);
  if (ranks.size() < 2) return std::nullopt;
  const auto own = [](const RankFacts* rank) { return own_step_ns(*rank); };
  const auto [least, most] = std::ranges::minmax_element(ranks, {}, own);
  RankComparison compared{.slowest = *most, .fastest = *least};
  const auto mean_ns = static_cast<double>(std::max<std::int64_t>(steps.mean_ns, 1));
  const std::int64_t gap_ns = own(*most) - own(*least);
  compared.skew_ratio = static_cast<double>(gap_ns) / mean_ns;
  compared.phase = most_longer(**most, **least, is_own);
  // One that holds the others up is slower than all of them, and they wait or their steps are shorter.
  std::int64_t next_ns = 0;
  for (const RankFacts* rank : ranks) {
    if (rank != *most) next_ns = std::max(next_ns, own(rank));
  }
  const std::int64_t felt_ns = std::max(waited_ns(**least) - waited_ns(**most),
                                        (*most)->stats.mean_ns - (*least)->stats.mean_ns);
  compared.straggles =
      static_cast<double>(own(*most) - next_ns) >= kStraggles * mean_ns && felt_ns >= gap_ns / 2;
  return compared;
}

std::vector<std::string> rank_pieces(const analysis::RunFacts& facts, const StepSummary& steps,
                                     const Catalogue& catalogue) {
  const auto compared = compare_ranks(facts, steps);
  if (!compared) return {};
  const StepUnit unit = step_unit(steps.mean_ns);
  std::vector<std::string> out{catalogue.say("ranks.own", {{"unit", unit.name}})};
  for (const RankFacts* rank : ranks_with_steps(facts)) {
    out.push_back(
        rank_name(*rank) + "\u00A0" +
        catalogue.number().compact(static_cast<double>(own_step_ns(*rank)) / unit.size_ns));
  }
  if (compared->straggles) {
    append_straggler(*compared, unit, catalogue, out);
  } else {
    out.push_back(catalogue.say(compared->skew_ratio < kStraggles ? "ranks.even" : "ranks.skew",
                                {{"skew_ratio", compared->skew_ratio}}));
  }
  return out;
}

std::vector<std::string> rank_phase_pieces(const RankFacts& rank, const StepSummary& steps,
                                           const Catalogue& catalogue) {
  const StepUnit unit = step_unit(steps.mean_ns);
  std::vector<std::string> out;
  for (const Phase phase : model::kPhases) {
    if (rank.phases[static_cast<std::size_t>(phase)].mean_ns == model::kNotMeasured) continue;
    out.push_back(phase_name(phase, catalogue) + "\u00A0" +
                  catalogue.number().fixed(
                      static_cast<double>(phase_ns(rank, phase)) / unit.size_ns, unit.decimals));
  }
  if (!out.empty()) out.front().insert(0, rank_name(rank) + ": ");
  return out;
}

}  // namespace latido::report
