#include "report/run_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace latido::report {
namespace {

using analysis::RankFacts;
using analysis::RunFacts;

double share(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

// Nearest rank; `sorted` is not empty.
std::int64_t percentile(const std::vector<std::int64_t>& sorted, double ratio) {
  const double at = std::ceil(ratio * static_cast<double>(sorted.size())) - 1;
  return sorted[static_cast<std::size_t>(std::max(0.0, at))];
}

void set_percentiles(const RunFacts& facts, StepSummary& summary) {
  std::vector<std::int64_t> walls;
  for (const RankFacts& rank : facts.ranks) {
    for (const model::Step& step : rank.steps) {
      if (!step.warmup()) walls.push_back(step.wall_ns);
    }
  }
  const auto speaks =
      std::ranges::max_element(facts.ranks, {}, [](const RankFacts& r) { return r.stats.count; });
  summary.p50_ns = speaks->stats.p50_ns;
  summary.p95_ns = speaks->stats.p95_ns;
  summary.p99_ns = speaks->stats.p99_ns;
  // One rank: as analysis found them. Several: of all their steps, where those were kept.
  if (facts.ranks.size() < 2 || walls.empty()) return;
  std::ranges::sort(walls);
  summary.p50_ns = percentile(walls, 0.50);
  summary.p95_ns = percentile(walls, 0.95);
  summary.p99_ns = percentile(walls, 0.99);
}

// Weighted by steps over the ranks; `value` gives kNotMeasured where a rank has none.
template <typename Value>
std::int64_t mean_over_ranks(const RunFacts& facts, Value value) {
  double sum = 0;
  double weight = 0;
  bool measured = false;
  for (const RankFacts& rank : facts.ranks) {
    const double count = static_cast<double>(rank.stats.count);
    const std::int64_t mean_ns = value(rank);
    weight += count;
    if (mean_ns == model::kNotMeasured || count == 0) continue;
    measured = true;
    sum += count * static_cast<double>(mean_ns);
  }
  return measured ? std::llround(sum / weight) : model::kNotMeasured;
}

PhaseRow phase_row(const RunFacts& facts, model::Phase phase, std::int64_t step_mean_ns) {
  const auto at = static_cast<std::size_t>(phase);
  PhaseRow row{.phase = phase, .mean_ns = 0, .ratio = 0, .reason = {}};
  row.mean_ns = mean_over_ranks(facts, [&](const RankFacts& r) { return r.phases[at].mean_ns; });
  if (row.mean_ns != model::kNotMeasured) {
    row.ratio = share(row.mean_ns, step_mean_ns);
    return row;
  }
  for (const RankFacts& rank : facts.ranks) {
    if (row.reason.empty() && rank.stats.count > 0) row.reason = rank.phases[at].reason;
  }
  return row;
}

// The one zone that the time in zones is of; null where several share it. Its own mean is over all
// steps, and that of the steady ones is what a table of steady steps must show.
const analysis::NamedTime* only_zone_in_steps(const RankFacts& rank, std::int64_t least_ns) {
  const analysis::NamedTime* only = nullptr;
  std::int64_t rest_ns = 0;
  for (const analysis::NamedTime& zone : rank.zones) {
    if (only == nullptr || zone.mean_per_step_ns > only->mean_per_step_ns) only = &zone;
    rest_ns += zone.mean_per_step_ns;
  }
  if (only == nullptr || only->mean_per_step_ns < least_ns) return nullptr;
  return rest_ns - only->mean_per_step_ns < least_ns ? only : nullptr;
}

// The user's zones inside steps, named while they fit into what the parts leave for zones.
std::int64_t append_zones(const RunFacts& facts, std::int64_t zones_ns, std::int64_t least_ns,
                          std::vector<OtherRow>& rows) {
  constexpr std::size_t kMostZones = 3;
  const RankFacts* lead = lead_rank(facts);
  if (facts.ranks.size() == 1 && zones_ns >= least_ns) {
    if (const auto* only = only_zone_in_steps(*lead, least_ns)) {
      rows.push_back({.part = {}, .zone = only->name, .mean_ns = zones_ns});
      return 0;
    }
  }
  std::size_t named = 0;
  for (const analysis::NamedTime& zone : lead->zones) {
    if (named == kMostZones) break;
    if (zone.mean_per_step_ns < least_ns || zone.mean_per_step_ns > zones_ns) continue;
    rows.push_back({.part = {}, .zone = zone.name, .mean_ns = zone.mean_per_step_ns});
    zones_ns -= zone.mean_per_step_ns;
    ++named;
  }
  return zones_ns;
}

std::vector<OtherRow> other_rows(const RunFacts& facts, std::int64_t step_mean_ns) {
  // Less than this would be shown as 0.0.
  const std::int64_t least_ns = std::max<std::int64_t>(1, step_mean_ns / 1000);
  std::vector<OtherRow> rows;
  for (std::size_t i = 0; i < model::kOtherPartCount; ++i) {
    const auto part = static_cast<model::OtherPart>(i);
    std::int64_t mean_ns =
        mean_over_ranks(facts, [&](const RankFacts& r) { return r.other_mean_ns[i]; });
    if (part == model::OtherPart::kZones) mean_ns = append_zones(facts, mean_ns, least_ns, rows);
    if (mean_ns >= least_ns) {
      rows.push_back({.part = std::string(model::to_text(part)), .zone = {}, .mean_ns = mean_ns});
    }
  }
  std::ranges::stable_sort(rows, std::ranges::greater{}, &OtherRow::mean_ns);
  return rows;
}

double rank_sums_gap(const RunFacts& facts, const RankFacts& rank) {
  std::int64_t phases_ns = 0;
  for (const analysis::PhaseStats& phase : rank.phases) {
    phases_ns += std::max<std::int64_t>(phase.mean_ns, 0);
  }
  double gap = share(std::abs(phases_ns - rank.stats.mean_ns), rank.stats.mean_ns);
  const std::int64_t wall_ns = facts.run.wall_ns();
  gap = std::max(gap, share(std::abs(rank.parts.sum_ns() - wall_ns), wall_ns));
  return gap;
}

}  // namespace

const RankFacts* lead_rank(const RunFacts& facts) {
  if (facts.ranks.empty()) return nullptr;
  // A launcher without steps does not speak for the processes that train.
  return &*std::ranges::min_element(facts.ranks, {}, [](const RankFacts& r) {
    return std::pair(r.steps.empty() && r.stats.count == 0,
                     r.rank.value_or(std::numeric_limits<std::int32_t>::max()));
  });
}

std::optional<StepSummary> summarise_steps(const RunFacts& facts) {
  StepSummary summary;
  for (const RankFacts& rank : facts.ranks)
    summary.count = std::max(summary.count, rank.stats.count);
  if (summary.count == 0) return std::nullopt;
  summary.mean_ns = mean_over_ranks(facts, [](const RankFacts& r) { return r.stats.mean_ns; });
  set_percentiles(facts, summary);
  for (const model::Phase phase : model::kPhases) {
    summary.phases[static_cast<std::size_t>(phase)] = phase_row(facts, phase, summary.mean_ns);
  }
  summary.other = other_rows(facts, summary.mean_ns);
  return summary;
}

std::optional<LossChange> loss_change(const RankFacts& rank) {
  LossChange change;
  std::vector<double> values;
  for (const analysis::SeriesPoint& point : rank.loss) {
    if (std::isfinite(point.value)) {
      values.push_back(point.value);
    } else {
      ++change.not_finite;
    }
  }
  if (values.empty()) return change.not_finite > 0 ? std::optional(change) : std::nullopt;
  const std::size_t window = (values.size() + 19) / 20;
  for (std::size_t i = 0; i < window; ++i) {
    change.first += values[i] / static_cast<double>(window);
    change.last += values[values.size() - 1 - i] / static_cast<double>(window);
  }
  return change;
}

double backwards_per_step(const RankFacts& rank) {
  std::uint64_t backwards = 0;
  std::uint64_t steps = 0;
  for (const model::Step& step : rank.steps) {
    if (step.warmup()) continue;
    backwards += step.backwards;
    ++steps;
  }
  return steps == 0 ? 0 : static_cast<double>(backwards) / static_cast<double>(steps);
}

double samples_per_s(const RunFacts& facts) {
  double sum = 0;
  for (const RankFacts& rank : facts.ranks) sum += rank.samples_per_s;
  return sum;
}

std::optional<double> sums_gap_ratio(const RunFacts& facts) {
  std::optional<double> gap;
  for (const RankFacts& rank : facts.ranks) {
    if (rank.stats.count > 0) gap = std::max(gap.value_or(0), rank_sums_gap(facts, rank));
  }
  return gap;
}

bool ended_badly(const model::RunEnd& end) noexcept {
  return end.kind == model::EndKind::kSignal || end.kind == model::EndKind::kNotStarted ||
         (end.kind == model::EndKind::kExit && end.code != 0);
}

VerdictScope verdict_scope(const model::RunEnd& end) noexcept {
  switch (end.kind) {
    case model::EndKind::kExit:
      return end.code == 0 ? VerdictScope::kWholeRun : VerdictScope::kUntilFailed;
    case model::EndKind::kSignal:
      return VerdictScope::kUntilKilled;
    case model::EndKind::kRunning:
      return VerdictScope::kSoFar;
    case model::EndKind::kDetached:
    case model::EndKind::kNotStarted:
      break;
  }
  return VerdictScope::kWholeRun;
}

std::string_view to_text(VerdictScope scope) noexcept {
  switch (scope) {
    case VerdictScope::kUntilFailed:
      return "until_failed";
    case VerdictScope::kUntilKilled:
      return "until_killed";
    case VerdictScope::kSoFar:
      return "so_far";
    case VerdictScope::kWholeRun:
      break;
  }
  return "run";
}

RunGain run_gain(const RunFacts& facts, const model::Gain& gain) {
  RunGain out;
  const auto before = static_cast<double>(gain.step_before_ns);
  const auto after = static_cast<double>(gain.step_after_ns);
  if (gain.step_after_ns > 0) out.factor = before / after;
  std::uint64_t steps = 0;
  for (const RankFacts& rank : facts.ranks) steps = std::max(steps, rank.stats.count);
  out.wall_before_ns = facts.run.wall_ns();
  out.wall_after_ns = out.wall_before_ns -
                      static_cast<std::int64_t>(steps) * (gain.step_before_ns - gain.step_after_ns);
  out.samples_before_per_s = samples_per_s(facts);
  out.samples_after_per_s = out.samples_before_per_s * out.factor;
  return out;
}

bool is_short(const analysis::RunFacts& facts) noexcept {
  constexpr std::int64_t kShort_ns = 1'500'000'000;
  return facts.run.wall_ns() >= 0 && facts.run.wall_ns() < kShort_ns;
}

bool trust_is_damaged(const analysis::RunFacts& facts, double budget_ratio) noexcept {
  const model::Quality& quality = facts.quality;
  if (quality.overhead_budget_ratio > 0) budget_ratio = quality.overhead_budget_ratio;
  return quality.dropped > 0 || quality.malformed > 0 || quality.late > 0 ||
         (quality.overhead_ratio > budget_ratio && !is_short(facts));
}

std::string signal_name(std::int32_t signal) {
  constexpr std::array<const char*, 32> kNames{
      nullptr,   "SIGHUP",  "SIGINT",  "SIGQUIT", "SIGILL",  "SIGTRAP", "SIGABRT", "SIGBUS",
      "SIGFPE",  "SIGKILL", "SIGUSR1", "SIGSEGV", "SIGUSR2", "SIGPIPE", "SIGALRM", "SIGTERM",
      nullptr,   "SIGCHLD", "SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU", "SIGURG",
      "SIGXCPU", "SIGXFSZ", nullptr,   "SIGPROF", nullptr,   "SIGIO",   "SIGPWR",  "SIGSYS"};
  const bool known = signal > 0 && signal < static_cast<std::int32_t>(kNames.size());
  const char* name = known ? kNames[static_cast<std::size_t>(signal)] : nullptr;
  return name != nullptr ? name : "signal " + std::to_string(signal);
}

}  // namespace latido::report
