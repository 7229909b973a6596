#include "diagnosis/compare_whole.h"

#include <algorithm>
#include <functional>
#include <map>

#include "diagnosis/step_view.h"

namespace latido::diagnosis {
namespace {

using analysis::RunFacts;

constexpr std::size_t kMostZones = 8;

std::int64_t cpu_ns(const RunFacts& facts) {
  std::int64_t sum = 0;
  for (const analysis::ProcessFacts& process : facts.process_use) sum += process.cpu_ns;
  return sum > 0 ? sum : model::kNotMeasured;
}

std::map<std::string, std::int64_t> zone_times(const RunFacts& facts) {
  std::map<std::string, std::int64_t> times;
  for (const analysis::RankFacts& rank : facts.ranks) {
    for (const analysis::NamedTime& zone : rank.zones) times[zone.name] += zone.self_ns;
  }
  return times;
}

std::vector<ZoneChange> zone_changes(const RunFacts& before, const RunFacts& after) {
  std::map<std::string, ZoneChange> changes;
  for (const auto& [name, ns] : zone_times(before)) changes[name].before_ns = ns;
  for (const auto& [name, ns] : zone_times(after)) changes[name].after_ns = ns;
  std::vector<ZoneChange> sorted;
  for (auto& [name, change] : changes) {
    change.name = name;
    sorted.push_back(change);
  }
  std::ranges::stable_sort(sorted, std::ranges::greater{}, [](const ZoneChange& change) {
    return std::max(change.before_ns, change.after_ns);
  });
  if (sorted.size() > kMostZones) sorted.resize(kMostZones);
  return sorted;
}

}  // namespace

std::optional<WholeComparison> compare_whole(const RunFacts& before, const RunFacts& after) {
  if (steady_steps(before) > 0 || steady_steps(after) > 0) return std::nullopt;
  return WholeComparison{.before_cpu_ns = cpu_ns(before),
                         .after_cpu_ns = cpu_ns(after),
                         .zones = zone_changes(before, after)};
}

}  // namespace latido::diagnosis
