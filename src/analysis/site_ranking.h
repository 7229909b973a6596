// The call sites of a table as named times, the ones with the most own time first.
//
// Used by ZoneTable and FunctionTable, whose entries have calls, total_ns, self_ns and
// self_in_steps_ns. Pure.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "model/timeline.h"

namespace latido::analysis {

struct SiteRanking {
  const model::Tables& tables;
  std::size_t most = 0;     // entries
  std::uint64_t steps = 0;  // to divide the time in steps by; 0: there are none
  std::string_view beyond;  // name of what is in no entry of its own
};

// `finish(named, times)` adds what only one kind of table knows.
template <typename Named, typename Times, typename Finish>
std::vector<Named> largest_sites(const std::unordered_map<std::uint32_t, Times>& all,
                                 const Times& beyond, const SiteRanking& ranking,
                                 const Finish& finish) {
  std::vector<Named> named;
  const auto append = [&](const Times& times, const model::Site& site) {
    Named entry{};
    entry.name = site.name;
    entry.file = site.file;
    entry.line = site.line;
    entry.calls = times.calls;
    entry.total_ns = times.total_ns;
    entry.self_ns = times.self_ns;
    if (ranking.steps > 0) {
      entry.mean_per_step_ns = times.self_in_steps_ns / static_cast<std::int64_t>(ranking.steps);
    }
    finish(entry, times);
    named.push_back(std::move(entry));
  };
  for (const auto& [site, times] : all) {
    if (site < ranking.tables.sites.size()) append(times, ranking.tables.sites[site]);
  }
  if (beyond.calls > 0) {
    model::Site others;
    others.name = ranking.beyond;
    append(beyond, others);
  }
  // Name and line decide between equals, so that the same recording gives the same table.
  std::ranges::sort(named, {}, [](const Named& entry) {
    return std::tuple(-entry.self_ns, std::string_view(entry.name), entry.line);
  });
  if (named.size() > ranking.most) named.resize(ranking.most);
  return named;
}

}  // namespace latido::analysis
