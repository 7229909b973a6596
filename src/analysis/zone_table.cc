#include "analysis/zone_table.h"

#include <algorithm>

#include "analysis/site_ranking.h"

namespace latido::analysis {

ZoneTimes& ZoneTable::at(model::SiteId site) {
  const auto key = static_cast<std::uint32_t>(site);
  const auto it = times_.find(key);
  if (it != times_.end()) return it->second;
  return times_.size() < kMaxSites ? times_[key] : beyond_;
}

void ZoneTable::add(const ClosedSpan& closed, bool in_step) {
  ZoneTimes& times = at(closed.span.site);
  ++times.calls;
  if (!closed.span.recursive) times.total_ns += closed.duration_ns();
  times.self_ns += closed.self_ns();
  if (in_step) times.self_in_steps_ns += closed.self_ns();
}

void ZoneTable::add_open(const SpanStack& stack, std::int64_t until_ns, bool in_step) {
  Mark end = stack.now();
  end.ts_ns = std::max(end.ts_ns, until_ns);
  std::int64_t inner_ns = 0;
  for (auto it = stack.open().rbegin(); it != stack.open().rend(); ++it) {
    ClosedSpan closed{.span = *it, .end = end};
    closed.span.children_ns += inner_ns;
    inner_ns = closed.duration_ns();
    if (it->category == model::Category::kZone) add(closed, in_step);
  }
}

void ZoneTable::add(const ZoneTable& other) {
  for (const auto& [site, times] : other.times_) at(model::SiteId{site}).add(times);
  beyond_.add(other.beyond_);
}

void ZoneTable::credit_steps(const ZoneTable& other) {
  for (const auto& [site, times] : other.times_) {
    at(model::SiteId{site}).self_in_steps_ns += times.self_in_steps_ns;
  }
  beyond_.self_in_steps_ns += other.beyond_.self_in_steps_ns;
}

std::int64_t ZoneTable::total_self_ns() const noexcept {
  std::int64_t sum_ns = beyond_.self_ns;
  for (const auto& [site, times] : times_) sum_ns += times.self_ns;
  return sum_ns;
}

std::vector<NamedTime> ZoneTable::largest(const model::Tables& tables, std::size_t most,
                                          std::uint64_t steps) const {
  const SiteRanking ranking{
      .tables = tables, .most = most, .steps = steps, .beyond = "(other zones)"};
  return largest_sites<NamedTime>(times_, beyond_, ranking, [](NamedTime&, const ZoneTimes&) {});
}

}  // namespace latido::analysis
