// The part of ResourceAnalysis that looks at how things went over time: curves, peaks and growth.
#include <algorithm>
#include <cmath>
#include <set>

#include "analysis/resource_analysis.h"
#include "analysis/theil_sen.h"

namespace latido::analysis {
namespace {

constexpr std::size_t kMostPoints = 600;
constexpr std::int64_t kSecondNs = 1'000'000'000;

// At most one a second: sampling is not faster by default.
std::vector<std::int64_t> evenly(const TimeRange& range) {
  const auto seconds = static_cast<std::size_t>(range.length_ns() / kSecondNs) + 1;
  const std::size_t count = std::clamp<std::size_t>(seconds, 2, kMostPoints);
  std::vector<std::int64_t> at_ns;
  const double step = static_cast<double>(range.length_ns()) / static_cast<double>(count - 1);
  for (std::size_t i = 0; i < count; ++i) {
    at_ns.push_back(range.begin_ns + std::llround(step * static_cast<double>(i)));
  }
  return at_ns;
}

TimeRange part_of(const TimeRange& range, std::size_t i, std::size_t parts) {
  const double length = static_cast<double>(range.length_ns()) / static_cast<double>(parts);
  const auto at = [&](std::size_t k) {
    return range.begin_ns + std::llround(length * static_cast<double>(k));
  };
  return {.begin_ns = at(i), .end_ns = at(i + 1)};
}

std::int64_t middle_of(const TimeRange& range) { return range.begin_ns + range.length_ns() / 2; }

// The first of the times that is not before `ts_ns`.
std::size_t first_at(std::span<const std::int64_t> at_ns, std::int64_t ts_ns) {
  return static_cast<std::size_t>(std::lower_bound(at_ns.begin(), at_ns.end(), ts_ns) -
                                  at_ns.begin());
}

// Adds the increase a second of `curve` in the stretch that ends at each time.
void add_rates(std::vector<double>& rates, const SampleCurve& curve,
               std::span<const std::int64_t> at_ns) {
  double before = curve.at(curve.first_ns());
  for (std::size_t i = std::max<std::size_t>(first_at(at_ns, curve.first_ns()), 1);
       i < at_ns.size(); ++i) {
    if (at_ns[i - 1] > curve.last_ns()) return;  // a process that has ended
    const double now = curve.at(at_ns[i]);
    const auto step_ns = std::max<std::int64_t>(at_ns[i] - at_ns[i - 1], 1);
    rates[i] += (now - before) * 1e9 / static_cast<double>(step_ns);
    before = now;
  }
}

void append_if_any(std::vector<ResourceCurve>& curves, std::string_view metric,
                   std::span<const std::int64_t> at_ns, std::vector<double> values) {
  if (values.empty()) return;
  curves.push_back({.metric = std::string(metric),
                    .ts_ns = {at_ns.begin(), at_ns.end()},
                    .values = std::move(values)});
}

}  // namespace

// Levels at each time; a process counts while it lives.
std::vector<double> ResourceAnalysis::summed(const Context& context, std::string_view metric,
                                             std::span<const std::int64_t> at_ns) const {
  std::vector<double> sums;
  for (const std::uint32_t position : of_metric(metric)) {
    const Line& line = lines_[position];
    if (line.curve.empty()) continue;
    sums.resize(at_ns.size());
    const TimeRange alive = life(context, line.process);
    for (std::size_t i = first_at(at_ns, alive.begin_ns); i < at_ns.size(); ++i) {
      if (at_ns[i] > alive.end_ns) break;
      sums[i] += line.curve.at(at_ns[i]);
    }
  }
  return sums;
}

// Increase a second in the stretch that ends at each time; the first repeats the second.
std::vector<double> ResourceAnalysis::summed_rate(std::initializer_list<std::string_view> metrics,
                                                  std::span<const std::int64_t> at_ns) const {
  std::vector<double> rates;
  for (const std::string_view metric : metrics) {
    for (const std::uint32_t position : of_metric(metric)) {
      const SampleCurve& curve = lines_[position].curve;
      if (curve.points().size() < 2) continue;
      rates.resize(at_ns.size());
      add_rates(rates, curve, at_ns);
    }
  }
  if (rates.size() > 1) rates[0] = rates[1];
  return rates;
}

std::vector<ResourceCurve> ResourceAnalysis::curves(const Context& context) const {
  const std::vector<std::int64_t> at_ns = evenly(context.run);
  const auto cores = [this, &at_ns](std::initializer_list<std::string_view> metrics) {
    std::vector<double> rates = summed_rate(metrics, at_ns);
    for (double& rate : rates) rate /= 1e9;
    return rates;
  };
  std::vector<ResourceCurve> result;
  append_if_any(result, "run.cpu_cores", at_ns, cores({"proc.cpu.user_ns", "proc.cpu.system_ns"}));
  append_if_any(result, "host.cpu_cores", at_ns, cores({"host.cpu.user_ns", "host.cpu.system_ns"}));
  append_if_any(result, "host.iowait_cores", at_ns, cores({"host.cpu.iowait_ns"}));
  append_if_any(result, "run.rss_bytes", at_ns, summed(context, "proc.memory.rss_bytes", at_ns));
  append_if_any(result, "host.memory.available_bytes", at_ns,
                summed(context, "host.memory.available_bytes", at_ns));
  append_if_any(result, "host.disk.read_bytes_per_s", at_ns,
                summed_rate({"host.disk.read_bytes"}, at_ns));
  append_if_any(result, "host.disk.write_bytes_per_s", at_ns,
                summed_rate({"host.disk.write_bytes"}, at_ns));
  append_if_any(result, "run.read_bytes_per_s", at_ns, summed_rate({"proc.io.read_bytes"}, at_ns));
  append_if_any(result, "host.net.bytes_per_s", at_ns,
                summed_rate({"host.net.received_bytes", "host.net.sent_bytes"}, at_ns));
  return result;
}

void ResourceAnalysis::set_memory(ResourceFacts& facts, const Context& context) const {
  facts.memory_limit_bytes = last("host.memory.total_bytes");
  facts.memory_available_bytes = last("host.memory.available_bytes");
  if (const auto limit = last("cgroup.memory.limit_bytes")) {
    // Both hold: whichever is reached first.
    facts.memory_limit_bytes = std::min(*limit, facts.memory_limit_bytes.value_or(*limit));
    const double used = last("cgroup.memory.used_bytes").value_or(0);
    const double left = std::max(*limit - used, 0.0);
    facts.memory_available_bytes = std::min(left, facts.memory_available_bytes.value_or(left));
  }
  const std::vector<std::int64_t> at_ns = evenly(context.run);
  const std::vector<double> rss = summed(context, "proc.memory.rss_bytes", at_ns);
  if (rss.empty()) return;
  double peak = *std::max_element(rss.begin(), rss.end());
  // That of one process alone is known exactly, also between the points of the sum.
  for (const std::uint32_t i : of_metric("proc.memory.rss_bytes")) {
    if (!lines_[i].curve.empty()) peak = std::max(peak, lines_[i].curve.peak());
  }
  facts.run_rss_peak_bytes = peak;
}

std::vector<double> ResourceAnalysis::memory_floors(const Context& context,
                                                    std::size_t bins) const {
  std::vector<double> floors;
  std::set<model::ProcessId> often_looked_at;
  for (const std::string_view metric : {kStepMemory, std::string_view("proc.memory.rss_bytes")}) {
    for (const std::uint32_t position : of_metric(metric)) {
      const Line& line = lines_[position];
      if (line.curve.empty() || often_looked_at.contains(line.process)) continue;
      if (metric == kStepMemory) often_looked_at.insert(line.process);
      floors.resize(bins);
      const TimeRange alive = life(context, line.process);
      for (std::size_t i = 0; i < bins; ++i) {
        const TimeRange bin = part_of(context.window, i, bins);
        if (middle_of(bin) < alive.begin_ns || middle_of(bin) > alive.end_ns) continue;
        floors[i] += line.curve.lowest(bin.begin_ns, bin.end_ns);
      }
    }
  }
  return floors;
}

void ResourceAnalysis::set_rss_growth(ResourceFacts& facts, const Context& context,
                                      double step_ns) const {
  // Fewer than this tell a slope by luck only.
  constexpr double kFewest = 8;
  const double bin_ns = std::max(static_cast<double>(kSecondNs), 2 * step_ns);
  const double most = static_cast<double>(context.window.length_ns()) / bin_ns;
  if (most < kFewest) return;
  const auto bins = static_cast<std::size_t>(std::min<double>(most, kTheilSenPoints));
  const std::vector<double> floors = memory_floors(context, bins);
  if (floors.empty()) return;
  std::vector<double> x;
  x.reserve(bins);
  for (std::size_t i = 0; i < bins; ++i) {
    const TimeRange bin = part_of(context.window, i, bins);
    x.push_back(static_cast<double>(middle_of(bin) - context.window.begin_ns));
  }
  const auto slope = theil_sen(x, floors);
  if (!slope) return;
  facts.rss_growth_bytes_per_step = slope->slope * step_ns;
  facts.rss_growth_low_bytes_per_step = slope->low * step_ns;
  facts.rss_growth_high_bytes_per_step = slope->high * step_ns;
}

}  // namespace latido::analysis
