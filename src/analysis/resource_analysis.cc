#include "analysis/resource_analysis.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "model/metric_catalogue.h"

namespace latido::analysis {
namespace {

// A process id beyond this is not one of a run's own table.
constexpr std::size_t kMostProcesses = 1'000'000;

CurveKind kind_of(const model::Metric& metric) {
  if (metric.kind == model::Kind::kCounter) return CurveKind::kCounter;
  if (metric.name == "proc.memory.rss_bytes") return CurveKind::kPeakGauge;
  return metric.name == kStepMemory ? CurveKind::kFloorGauge : CurveKind::kGauge;
}

std::optional<double> sum_of(std::optional<double> a, std::optional<double> b) {
  if (!a) return b;
  return b ? std::optional(*a + *b) : a;
}

// From nanoseconds a second to a ratio or a number of cores.
std::optional<double> per_ns(std::optional<double> rate) {
  return rate ? std::optional(*rate / 1e9) : std::nullopt;
}

}  // namespace

void ResourceAnalysis::add_lines(const model::SeriesTable& table) {
  for (std::size_t i = lines_.size(); i < table.all().size(); ++i) {
    const model::Series& series = table.all()[i];
    Line line;
    const model::Metric* const metric = model::find_metric(series.metric);
    if (metric != nullptr) {
      line.metric = metric->name;
      line.process = series.process;
      line.label = series.label;
      line.curve = SampleCurve(kind_of(*metric));
    }
    const auto position = static_cast<std::uint32_t>(lines_.size());
    if (!line.metric.empty()) {
      by_metric_[line.metric].push_back(position);
      const std::size_t process = model::index_of(line.process);
      if (line.process != model::kHost && process < kMostProcesses) {
        if (process >= by_process_.size()) by_process_.resize(process + 1);
        by_process_[process].push_back(position);
      }
    }
    lines_.push_back(std::move(line));
  }
}

std::span<const std::uint32_t> ResourceAnalysis::of_metric(std::string_view metric) const {
  const auto it = by_metric_.find(metric);
  return it == by_metric_.end() ? std::span<const std::uint32_t>() : std::span(it->second);
}

std::span<const std::uint32_t> ResourceAnalysis::of_process(model::ProcessId process) const {
  const std::size_t i = model::index_of(process);
  return i < by_process_.size() ? std::span(by_process_[i]) : std::span<const std::uint32_t>();
}

void ResourceAnalysis::add(const model::SeriesTable& table,
                           std::span<const model::Sample> samples) {
  add_lines(table);
  for (const model::Sample& sample : samples) {
    const std::size_t i = model::index_of(sample.series);
    if (i >= lines_.size() || lines_[i].metric.empty()) continue;
    SampleCurve& curve = lines_[i].curve;
    const std::size_t before = curve.points().size();
    curve.add(sample.ts_ns, sample.value, per_series_);
    points_ += curve.points().size() - before;  // modulo 2^64: thinning takes some away
    latest_ns_ = std::max(latest_ns_, sample.ts_ns);
  }
  while (points_ > kept_samples_ && per_series_ > 2) thin_all();
}

void ResourceAnalysis::thin_all() {
  per_series_ /= 2;
  points_ = 0;
  for (Line& line : lines_) {
    line.curve.thin_to(per_series_);
    points_ += line.curve.points().size();
  }
}

TimeRange ResourceAnalysis::life(const Context& context, model::ProcessId process) {
  const std::size_t i = model::index_of(process);
  if (process == model::kHost || i >= context.processes.size()) return context.run;
  const model::Process& record = context.processes[i];
  TimeRange range = context.run;
  if (record.start_ns > 0) range.begin_ns = std::max(range.begin_ns, record.start_ns);
  if (record.end_ns >= 0) range.end_ns = std::min(range.end_ns, record.end_ns);
  return range;
}

// A process is sampled now and then; what it did between its start or end and the nearest sample is
// taken to go on at the rate in between.
std::optional<double> ResourceAnalysis::line_rate(const Context& context, const Line& line) const {
  if (line.curve.empty() || context.window.length_ns() == 0) return std::nullopt;
  const TimeRange alive = life(context, line.process).overlap(context.window);
  const std::int64_t covered_ns = line.curve.covered_ns(alive.begin_ns, alive.end_ns);
  if (covered_ns <= 0) return std::nullopt;
  const double increase = line.curve.at(alive.end_ns) - line.curve.at(alive.begin_ns);
  const double whole =
      increase * static_cast<double>(alive.length_ns()) / static_cast<double>(covered_ns);
  return whole * 1e9 / static_cast<double>(context.window.length_ns());
}

std::optional<double> ResourceAnalysis::rate(const Context& context, std::string_view metric,
                                             std::optional<model::ProcessId> process) const {
  std::optional<double> sum;
  for (const std::uint32_t i : process ? of_process(*process) : of_metric(metric)) {
    if (lines_[i].metric == metric) sum = sum_of(sum, line_rate(context, lines_[i]));
  }
  return sum;
}

std::optional<double> ResourceAnalysis::highest_rate(const Context& context,
                                                     std::string_view metric) const {
  std::optional<double> highest;
  for (const std::uint32_t i : of_metric(metric)) {
    const auto own = line_rate(context, lines_[i]);
    if (own && (!highest || *own > *highest)) highest = own;
  }
  return highest;
}

std::optional<double> ResourceAnalysis::last(std::string_view metric) const {
  for (const std::uint32_t i : of_metric(metric)) {
    if (!lines_[i].curve.empty()) return lines_[i].curve.last();
  }
  return std::nullopt;
}

std::optional<double> ResourceAnalysis::share_of_time(const Context& context,
                                                      std::string_view metric) const {
  const auto share = per_ns(rate(context, metric));
  return share ? std::optional(std::clamp(*share, 0.0, 1.0)) : std::nullopt;
}

std::optional<double> ResourceAnalysis::cpu_ns(const Context& context, model::ProcessId process,
                                               const TimeRange& range) const {
  const Context within{
      .processes = context.processes, .run = context.run, .window = range, .main = context.main};
  const auto user = rate(within, "proc.cpu.user_ns", process);
  const auto both = sum_of(user, rate(within, "proc.cpu.system_ns", process));
  return both ? std::optional(*both * static_cast<double>(range.length_ns()) / 1e9) : std::nullopt;
}

std::optional<double> ResourceAnalysis::run_delay_ns(const Context& context,
                                                     model::ProcessId process,
                                                     const TimeRange& range) const {
  const Context within{
      .processes = context.processes, .run = context.run, .window = range, .main = context.main};
  const auto delay = rate(within, "proc.cpu.run_delay_ns", process);
  return delay ? std::optional(*delay * static_cast<double>(range.length_ns()) / 1e9)
               : std::nullopt;
}

std::vector<ProcessFacts> ResourceAnalysis::process_use(const Context& context) const {
  const std::size_t processes = context.processes.size();
  std::vector<ProcessFacts> use(processes);
  const auto is_older = [&](std::size_t process) {
    constexpr std::int64_t kTicks_ns = 100'000'000;  // start times are in ticks
    return context.processes[process].start_ns + kTicks_ns < context.run.begin_ns;
  };
  for (std::size_t i = 0; i < processes; ++i) use[i].process = static_cast<model::ProcessId>(i);
  for (const Line& line : lines_) {
    const std::size_t i = model::index_of(line.process);
    if (line.process == model::kHost || i >= processes || line.curve.empty()) continue;
    if (line.metric == "proc.cpu.user_ns" || line.metric == "proc.cpu.system_ns") {
      const double before = is_older(i) ? line.curve.points().front().value : 0;
      use[i].cpu_ns += std::llround(line.curve.last() - before);
    } else if (line.metric == "proc.memory.rss_bytes") {
      use[i].rss_peak_bytes =
          std::max<std::int64_t>(use[i].rss_peak_bytes, std::llround(line.curve.peak()));
    } else if (line.metric == "proc.memory.peak_rss_bytes") {
      // What was over within a second is in this one only.
      use[i].rss_peak_bytes =
          std::max<std::int64_t>(use[i].rss_peak_bytes, std::llround(line.curve.last()));
    }
  }
  return use;
}

ResourceFacts ResourceAnalysis::facts(const Context& context, double environment_cores) const {
  ResourceFacts facts;
  std::set<std::string_view> core_labels;
  for (const std::uint32_t i : of_metric("host.core.busy_ns")) core_labels.insert(lines_[i].label);
  facts.cores = environment_cores > 0 ? environment_cores : static_cast<double>(core_labels.size());
  if (const auto limit = last("cgroup.cpu.limit_cores"); limit && *limit > 0) {
    facts.cores = facts.cores > 0 ? std::min(facts.cores, *limit) : *limit;
  }
  const auto user = per_ns(rate(context, "host.cpu.user_ns"));
  const auto system = per_ns(rate(context, "host.cpu.system_ns"));
  facts.cpu_busy_cores = sum_of(user, system);
  facts.cpu_iowait_ratio = per_ns(rate(context, "host.cpu.iowait_ns"));
  const auto steal = per_ns(rate(context, "host.cpu.steal_ns"));
  auto all = sum_of(sum_of(facts.cpu_busy_cores, facts.cpu_iowait_ratio),
                    sum_of(steal, per_ns(rate(context, "host.cpu.idle_ns"))));
  if (steal && all && *all > 0) facts.cpu_steal_ratio = *steal / *all;
  // Counted, as the kernel's times add up to whole cores only over many of its ticks.
  facts.machine_cores =
      core_labels.empty() ? all : std::optional(static_cast<double>(core_labels.size()));
  if (facts.cpu_busy_cores && facts.machine_cores) {
    facts.cpu_busy_cores = std::min(*facts.cpu_busy_cores, *facts.machine_cores);
  }
  facts.top_core_busy_ratio = per_ns(highest_rate(context, "host.core.busy_ns"));
  facts.run_cpu_cores =
      per_ns(sum_of(rate(context, "proc.cpu.user_ns"), rate(context, "proc.cpu.system_ns")));
  if (context.main) {
    facts.main_cpu_cores = per_ns(sum_of(rate(context, "proc.cpu.user_ns", context.main),
                                         rate(context, "proc.cpu.system_ns", context.main)));
  }
  facts.major_faults_per_s = rate(context, "proc.faults.major");
  facts.involuntary_switches_per_s = rate(context, "proc.ctx.involuntary");
  set_io(facts, context);
  set_memory(facts, context);
  return facts;
}

void ResourceAnalysis::set_io(ResourceFacts& facts, const Context& context) const {
  facts.swap_in_bytes_per_s = rate(context, "host.swap.in_bytes");
  facts.swap_out_bytes_per_s = rate(context, "host.swap.out_bytes");
  facts.disk_read_bytes_per_s = rate(context, "host.disk.read_bytes");
  facts.disk_write_bytes_per_s = rate(context, "host.disk.write_bytes");
  facts.disk_busy_ratio = per_ns(highest_rate(context, "host.disk.busy_ns"));
  facts.run_read_bytes_per_s = rate(context, "proc.io.read_bytes");
  facts.run_read_chars_per_s = rate(context, "proc.io.read_chars_bytes");
  facts.net_bytes_per_s =
      sum_of(rate(context, "host.net.received_bytes"), rate(context, "host.net.sent_bytes"));
  facts.psi_cpu_some_ratio = share_of_time(context, "host.psi.cpu.some_ns");
  facts.psi_memory_full_ratio = share_of_time(context, "host.psi.memory.full_ns");
  facts.psi_io_full_ratio = share_of_time(context, "host.psi.io.full_ns");
  const auto periods = rate(context, "cgroup.cpu.periods");
  const auto throttled = rate(context, "cgroup.cpu.throttled_periods");
  if (periods && throttled && *periods > 0) facts.cgroup_throttled_ratio = *throttled / *periods;
}

}  // namespace latido::analysis
