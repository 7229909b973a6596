// ResourceAnalysis: the samples of the machine and of the run's processes, and what they come to over a
// stretch of time.
//
// Owned by RunAnalysis. Counters become rates, levels become means or peaks; pictures get evenly spaced
// curves. Memory is bounded: when there are too many points every series is thinned.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/run_facts.h"
#include "analysis/sample_curve.h"
#include "model/sample.h"
#include "model/timeline.h"

namespace latido::analysis {

struct TimeRange {
  std::int64_t begin_ns = 0;
  std::int64_t end_ns = 0;

  std::int64_t length_ns() const noexcept { return end_ns > begin_ns ? end_ns - begin_ns : 0; }
  TimeRange overlap(const TimeRange& other) const noexcept {
    return {.begin_ns = begin_ns > other.begin_ns ? begin_ns : other.begin_ns,
            .end_ns = end_ns < other.end_ns ? end_ns : other.end_ns};
  }
};

// Resident memory of training processes, about 10 times a second.
inline constexpr std::string_view kStepMemory = "proc.memory.step_rss_bytes";

class ResourceAnalysis {
 public:
  explicit ResourceAnalysis(std::size_t kept_samples) : kept_samples_(kept_samples) {}

  // Metrics that the catalogue lacks are ignored.
  void add(const model::SeriesTable& table, std::span<const model::Sample> samples);

  // The rest of the interface needs the processes for their lifetimes; `run` is the whole run so far.
  struct Context {
    const std::vector<model::Process>& processes;
    TimeRange run;
    TimeRange window;
    std::optional<model::ProcessId> main;
  };
  // Growth of memory is left to rss_growth(): it needs steps.
  ResourceFacts facts(const Context& context, double environment_cores) const;
  // Fills the growth of the run's memory, given how long a step takes: the slope (Theil-Sen) of the least
  // that it holds over at least two steps and a second, since what a step takes and gives back is no growth.
  void set_rss_growth(ResourceFacts& facts, const Context& context, double step_ns) const;
  std::vector<ResourceCurve> curves(const Context& context) const;
  // CPU time is that since the run began, also of a process that it came to later.
  std::vector<ProcessFacts> process_use(const Context& context) const;

  // CPU time of a process within a range; empty when it was not sampled there.
  std::optional<double> cpu_ns(const Context& context, model::ProcessId process,
                               const TimeRange& range) const;
  // How long its main thread was ready to run and had no core.
  std::optional<double> run_delay_ns(const Context& context, model::ProcessId process,
                                     const TimeRange& range) const;
  std::int64_t latest_ns() const noexcept { return latest_ns_; }

 private:
  static constexpr std::size_t kPointsPerSeries = 1024;

  struct Line {
    std::string_view metric;  // of the catalogue; empty: ignored
    model::ProcessId process = model::kHost;
    std::string label;
    SampleCurve curve{CurveKind::kGauge};
  };

  void set_io(ResourceFacts& facts, const Context& context) const;
  void set_memory(ResourceFacts& facts, const Context& context) const;
  // Positions in lines_, by metric or by process.
  std::span<const std::uint32_t> of_metric(std::string_view metric) const;
  std::span<const std::uint32_t> of_process(model::ProcessId process) const;
  void add_lines(const model::SeriesTable& table);
  void thin_all();

  // Per second, summed over the lines of the metric; of all processes when `process` is empty.
  std::optional<double> rate(const Context& context, std::string_view metric,
                             std::optional<model::ProcessId> process = std::nullopt) const;
  std::optional<double> highest_rate(const Context& context, std::string_view metric) const;
  std::optional<double> last(std::string_view metric) const;
  std::optional<double> line_rate(const Context& context, const Line& line) const;
  std::optional<double> share_of_time(const Context& context, std::string_view metric) const;
  std::vector<double> summed(const Context& context, std::string_view metric,
                             std::span<const std::int64_t> at_ns) const;
  std::vector<double> summed_rate(std::initializer_list<std::string_view> metrics,
                                  std::span<const std::int64_t> at_ns) const;
  // The least that the run's processes hold in each of `bins` equal parts of the window.
  std::vector<double> memory_floors(const Context& context, std::size_t bins) const;
  static TimeRange life(const Context& context, model::ProcessId process);

  std::size_t kept_samples_;
  std::size_t per_series_ = kPointsPerSeries;
  std::size_t points_ = 0;
  std::vector<Line> lines_;  // by SeriesId
  std::map<std::string_view, std::vector<std::uint32_t>> by_metric_;
  std::vector<std::vector<std::uint32_t>> by_process_;
  std::int64_t latest_ns_ = 0;
};

}  // namespace latido::analysis
