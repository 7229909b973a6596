#include "analysis/function_table.h"

#include "analysis/site_ranking.h"

namespace latido::analysis {

void FunctionTable::Times::add(const Times& other) {
  calls += other.calls;
  total_ns += other.total_ns;
  self_ns += other.self_ns;
  self_in_steps_ns += other.self_in_steps_ns;
  elided = elided || other.elided;
  durations.add(other.durations);
}

FunctionTable::Times& FunctionTable::at(model::SiteId site) {
  const auto key = static_cast<std::uint32_t>(site);
  const auto it = times_.find(key);
  if (it != times_.end()) return it->second;
  return times_.size() < kMaxSites ? times_[key] : beyond_;
}

void FunctionTable::add(const FunctionCall& call, bool in_step) {
  ++calls_;
  Times& times = at(call.site);
  ++times.calls;
  if (!call.recursive) times.total_ns += call.duration_ns;
  times.self_ns += call.self_ns;
  if (in_step) times.self_in_steps_ns += call.self_ns;
  // How long it would have lasted is not known.
  if (!call.cut) times.durations.add(call.duration_ns);
}

void FunctionTable::set_elided(model::SiteId site) { at(site).elided = true; }

void FunctionTable::add(const FunctionTable& other) {
  for (const auto& [site, times] : other.times_) at(model::SiteId{site}).add(times);
  beyond_.add(other.beyond_);
  calls_ += other.calls_;
}

FunctionCounts FunctionTable::counts() const noexcept {
  FunctionCounts counts{.recorded = times_.size()};
  for (const auto& [site, times] : times_) counts.elided += times.elided ? 1 : 0;
  return counts;
}

std::uint64_t FunctionTable::calls_of(model::SiteId site) const noexcept {
  const auto it = times_.find(static_cast<std::uint32_t>(site));
  return it == times_.end() ? 0 : it->second.calls;
}

bool FunctionTable::is_elided(model::SiteId site) const noexcept {
  const auto it = times_.find(static_cast<std::uint32_t>(site));
  return it != times_.end() && it->second.elided;
}

std::vector<FunctionTime> FunctionTable::largest(const model::Tables& tables, std::size_t most,
                                                 std::uint64_t steps) const {
  const SiteRanking ranking{
      .tables = tables, .most = most, .steps = steps, .beyond = "(other functions)"};
  return largest_sites<FunctionTime>(times_, beyond_, ranking,
                                     [](FunctionTime& named, const Times& times) {
                                       named.p50_ns = times.durations.quantile_ns(0.50);
                                       named.p95_ns = times.durations.quantile_ns(0.95);
                                       named.p99_ns = times.durations.quantile_ns(0.99);
                                       named.elided = times.elided;
                                     });
}

}  // namespace latido::analysis
