#include "analysis/zone_table.h"

#include <algorithm>

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

std::int64_t ZoneTable::total_self_ns() const noexcept {
  std::int64_t sum_ns = beyond_.self_ns;
  for (const auto& [site, times] : times_) sum_ns += times.self_ns;
  return sum_ns;
}

std::vector<NamedTime> ZoneTable::largest(const model::Tables& tables, std::size_t most,
                                          std::uint64_t steps) const {
  std::vector<NamedTime> all;
  const auto append = [&all, steps](const ZoneTimes& times, const model::Site& site) {
    NamedTime named{.name = site.name, .file = site.file, .line = site.line};
    named.calls = times.calls;
    named.total_ns = times.total_ns;
    named.self_ns = times.self_ns;
    if (steps > 0) {
      named.mean_per_step_ns = times.self_in_steps_ns / static_cast<std::int64_t>(steps);
    }
    all.push_back(std::move(named));
  };
  for (const auto& [site, times] : times_) {
    if (site < tables.sites.size()) append(times, tables.sites[site]);
  }
  if (beyond_.calls > 0) {
    model::Site others;
    others.name = "(other zones)";
    append(beyond_, others);
  }
  // The name decides between equals, so that the same recording gives the same table.
  std::sort(all.begin(), all.end(), [](const NamedTime& a, const NamedTime& b) {
    return a.self_ns != b.self_ns ? a.self_ns > b.self_ns : a.name < b.name;
  });
  if (all.size() > most) all.resize(most);
  return all;
}

}  // namespace latido::analysis
