#include "analysis/resource_analysis.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

namespace latido::analysis {
namespace {

constexpr std::int64_t kSecond = 1'000'000'000;

// Samples each second of a machine with 4 cores and a run of two processes.
class Machine {
 public:
  Machine() : processes_(2) {
    for (model::Process& process : processes_) process.start_ns = 0;
  }

  void sample_at(const std::string& metric, model::ProcessId process, std::int64_t ts_ns,
                 double value, const std::string& label = "") {
    const model::SeriesId id =
        table_.intern({.metric = metric, .process = process, .label = label});
    samples_.push_back({.series = id, .ts_ns = ts_ns, .value = value});
  }
  void sample(const std::string& metric, model::ProcessId process, std::int64_t second,
              double value, const std::string& label = "") {
    sample_at(metric, process, second * kSecond, value, label);
  }
  void host(const std::string& metric, std::int64_t second, double value,
            const std::string& label = "") {
    sample(metric, model::kHost, second, value, label);
  }

  ResourceAnalysis analysis(std::size_t kept = 100'000) const {
    ResourceAnalysis result(kept);
    result.add(table_, samples_);
    return result;
  }
  ResourceAnalysis::Context context(std::int64_t from = 0, std::int64_t to = 100) const {
    return {.processes = processes_,
            .run = {.begin_ns = 0, .end_ns = 100 * kSecond},
            .window = {.begin_ns = from * kSecond, .end_ns = to * kSecond},
            .main = model::ProcessId{0}};
  }
  std::vector<model::Process>& processes() { return processes_; }

 private:
  model::SeriesTable table_;
  std::vector<model::Sample> samples_;
  std::vector<model::Process> processes_;
};

TEST(ResourceAnalysis, CountsCoresWhereTheKernelsTicksAreTooCoarse) {
  Machine machine;
  for (std::int64_t s : {0, 1}) {  // three ticks where there is room for two
    machine.host("host.cpu.user_ns", s, 3e9 * static_cast<double>(s));
    machine.host("host.cpu.idle_ns", s, 0);
    for (const char* core : {"0", "1"}) machine.host("host.core.busy_ns", s, 0, core);
  }
  const ResourceFacts facts = machine.analysis().facts(machine.context(0, 1), 2);
  EXPECT_DOUBLE_EQ(*facts.machine_cores, 2);
  EXPECT_DOUBLE_EQ(*facts.cpu_busy_cores, 2);
}

TEST(ResourceAnalysis, CountersBecomeRatesOverTheWindow) {
  Machine machine;
  for (std::int64_t s = 0; s <= 100; ++s) {
    const auto t = static_cast<double>(s) * 1e9;
    machine.host("host.cpu.user_ns", s, 2.0 * t);
    machine.host("host.cpu.system_ns", s, 0.5 * t);
    machine.host("host.cpu.idle_ns", s, 1.0 * t);
    machine.host("host.cpu.steal_ns", s, 0.5 * t);
    for (int core = 0; core < 4; ++core) {
      machine.host("host.core.busy_ns", s, (core == 2 ? 1.0 : 0.5) * t, std::to_string(core));
    }
    machine.sample("proc.cpu.user_ns", model::ProcessId{0}, s, 0.75 * t);
    machine.sample("proc.cpu.user_ns", model::ProcessId{1}, s, 1.0 * t);
    machine.host("host.disk.read_bytes", s, 100.0 * static_cast<double>(s), "sda");
    machine.host("host.disk.read_bytes", s, 50.0 * static_cast<double>(s), "sdb");
    machine.host("host.disk.busy_ns", s, 0.3 * t, "sda");
    machine.host("host.disk.busy_ns", s, 0.1 * t, "sdb");
    machine.host("cgroup.cpu.periods", s, 10.0 * static_cast<double>(s));
    machine.host("cgroup.cpu.throttled_periods", s, 2.0 * static_cast<double>(s));
    machine.host("host.psi.io.full_ns", s, 0.25 * t);
  }
  const ResourceFacts facts = machine.analysis().facts(machine.context(20, 80), 2);
  EXPECT_DOUBLE_EQ(facts.cores, 2);
  EXPECT_DOUBLE_EQ(*facts.machine_cores, 4);
  EXPECT_NEAR(*facts.cpu_busy_cores, 2.5, 1e-9);
  EXPECT_NEAR(*facts.cpu_steal_ratio, 0.125, 1e-9);
  EXPECT_NEAR(*facts.run_cpu_cores, 1.75, 1e-9);
  EXPECT_NEAR(*facts.main_cpu_cores, 0.75, 1e-9);
  EXPECT_NEAR(*facts.top_core_busy_ratio, 1.0, 1e-9);
  EXPECT_NEAR(*facts.disk_read_bytes_per_s, 150, 1e-9);
  EXPECT_NEAR(*facts.disk_busy_ratio, 0.3, 1e-9);
  EXPECT_NEAR(*facts.cgroup_throttled_ratio, 0.2, 1e-9);
  EXPECT_NEAR(*facts.psi_io_full_ratio, 0.25, 1e-9);
  EXPECT_FALSE(facts.swap_in_bytes_per_s.has_value());
  EXPECT_FALSE(facts.memory_limit_bytes.has_value());
}

TEST(ResourceAnalysis, AProcessCountsForTheTimeItLives) {
  Machine machine;
  machine.processes()[1].start_ns = 40 * kSecond;
  machine.processes()[1].end_ns = 60 * kSecond;
  // Sampled from half a second after its start to half a second before its end.
  for (std::int64_t s = 41; s < 60; ++s) {
    machine.sample("proc.cpu.user_ns", model::ProcessId{1}, s, static_cast<double>(s - 40) * 1e9);
  }
  const ResourceFacts facts = machine.analysis().facts(machine.context(), 2);
  EXPECT_NEAR(*facts.run_cpu_cores, 0.2, 1e-9);
}

TEST(ResourceAnalysis, ACounterThatStartsAgainGoesOn) {
  Machine machine;
  machine.host("host.net.sent_bytes", 0, 1000);
  machine.host("host.net.sent_bytes", 50, 2000);
  machine.host("host.net.sent_bytes", 51, 100);
  machine.host("host.net.sent_bytes", 100, 1100);
  EXPECT_NEAR(*machine.analysis().facts(machine.context(), 2).net_bytes_per_s, 21.0, 1e-9);
}

TEST(ResourceAnalysis, TheTighterMemoryLimitHolds) {
  Machine machine;
  machine.host("host.memory.total_bytes", 1, 64e9);
  machine.host("host.memory.available_bytes", 1, 40e9);
  machine.host("cgroup.memory.limit_bytes", 1, 16e9);
  machine.host("cgroup.memory.used_bytes", 1, 10e9);
  machine.sample("proc.memory.rss_bytes", model::ProcessId{0}, 1, 3e9);
  machine.sample("proc.memory.rss_bytes", model::ProcessId{1}, 1, 2e9);
  const ResourceFacts facts = machine.analysis().facts(machine.context(), 2);
  EXPECT_DOUBLE_EQ(*facts.memory_limit_bytes, 16e9);
  EXPECT_DOUBLE_EQ(*facts.memory_available_bytes, 6e9);
  EXPECT_DOUBLE_EQ(*facts.run_rss_peak_bytes, 5e9);
}

TEST(ResourceAnalysis, GrowthOfMemoryIsPerStepWithAnInterval) {
  Machine machine;
  for (std::int64_t s = 0; s <= 100; ++s) {
    machine.sample("proc.memory.rss_bytes", model::ProcessId{0}, s,
                   1e9 + 2e6 * static_cast<double>(s) + (s % 10 == 0 ? 5e7 : 0));
  }
  ResourceFacts facts;
  machine.analysis().set_rss_growth(facts, machine.context(10, 90), 0.1e9);
  ASSERT_TRUE(facts.rss_growth_bytes_per_step.has_value());
  EXPECT_NEAR(*facts.rss_growth_bytes_per_step, 2e5, 1e4);
  EXPECT_LE(*facts.rss_growth_low_bytes_per_step, 2e5);
  EXPECT_GE(*facts.rss_growth_high_bytes_per_step, 2e5 - 1);
}

TEST(ResourceAnalysis, WhatAStepTakesAndGivesBackIsNoGrowth) {
  // Steps of 0.9 s that hold 300 MB for 0.6 s, looked at 10 times a second and, by another, once.
  Machine machine;
  for (std::int64_t tenth = 0; tenth <= 1000; ++tenth) {
    const double step = std::floor(static_cast<double>(tenth) / 9);
    const double bytes = 1e9 + 4e6 * step + (tenth % 9 < 6 ? 3e8 : 0);
    const std::int64_t ts_ns = tenth * kSecond / 10;
    machine.sample_at("proc.memory.step_rss_bytes", model::ProcessId{0}, ts_ns, bytes);
    if (tenth % 10 == 0) {
      machine.sample_at("proc.memory.rss_bytes", model::ProcessId{0}, ts_ns, bytes);
    }
  }
  ResourceFacts facts;
  machine.analysis().set_rss_growth(facts, machine.context(10, 30), 0.9e9);
  ASSERT_TRUE(facts.rss_growth_bytes_per_step.has_value());
  EXPECT_NEAR(*facts.rss_growth_bytes_per_step, 4e6, 4e5);
  EXPECT_GT(*facts.rss_growth_low_bytes_per_step, 3e6);
  EXPECT_LT(*facts.rss_growth_high_bytes_per_step, 5e6);
}

TEST(ResourceAnalysis, CurvesAreEvenAndBounded) {
  Machine machine;
  for (std::int64_t s = 0; s <= 100; ++s) {
    machine.sample("proc.cpu.user_ns", model::ProcessId{0}, s, 0.5e9 * static_cast<double>(s));
  }
  const auto curves = machine.analysis().curves(machine.context());
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_EQ(curves[0].metric, "run.cpu_cores");
  EXPECT_EQ(curves[0].values.size(), 101U);
  for (const double value : curves[0].values) EXPECT_NEAR(value, 0.5, 1e-9);
  ResourceAnalysis::Context day = machine.context();
  day.run.end_ns = 86'400 * kSecond;
  EXPECT_EQ(machine.analysis().curves(day)[0].values.size(), 600U);
}

TEST(ResourceAnalysis, ThinsEverythingWhenThereIsTooMuch) {
  Machine machine;
  for (std::int64_t s = 0; s <= 4000; ++s) {
    machine.host("host.cpu.user_ns", s, 1e9 * static_cast<double>(s));
    machine.sample("proc.memory.rss_bytes", model::ProcessId{0}, s, s == 1234 ? 9e9 : 1e9);
    machine.host("no.such.metric", s, 1);
  }
  const ResourceAnalysis analysis = machine.analysis(200);
  EXPECT_NEAR(*analysis.facts(machine.context(10, 90), 2).cpu_busy_cores, 1.0, 1e-9);
  const auto use = analysis.process_use(machine.context());
  EXPECT_EQ(use[0].rss_peak_bytes, 9'000'000'000);
}

TEST(ResourceAnalysis, CountsWhatAProcessTookWhileItWasWatched) {
  for (const bool older : {false, true}) {
    SCOPED_TRACE(older);
    Machine machine;
    machine.sample("proc.cpu.user_ns", model::ProcessId{0}, 20, 9e9);
    machine.sample("proc.cpu.user_ns", model::ProcessId{0}, 28, 14e9);
    const ResourceAnalysis analysis = machine.analysis();
    std::vector<model::Process> processes(1);
    processes[0].start_ns = older ? 10 * kSecond : 20 * kSecond;
    const ResourceAnalysis::Context context{.processes = processes,
                                            .run = {20 * kSecond, 28 * kSecond},
                                            .window = {20 * kSecond, 28 * kSecond},
                                            .main = std::nullopt};
    EXPECT_EQ(analysis.process_use(context)[0].cpu_ns, older ? 5'000'000'000 : 14'000'000'000);
  }
}

TEST(SampleCurve, InterpolatesAndStandsStillBeyond) {
  SampleCurve curve(CurveKind::kGauge);
  EXPECT_TRUE(curve.add(100, 10, 1000));
  EXPECT_TRUE(curve.add(200, 20, 1000));
  EXPECT_FALSE(curve.add(200, 30, 1000));
  EXPECT_FALSE(curve.add(300, std::numeric_limits<double>::quiet_NaN(), 1000));
  EXPECT_DOUBLE_EQ(curve.at(150), 15);
  EXPECT_DOUBLE_EQ(curve.at(0), 10);
  EXPECT_DOUBLE_EQ(curve.at(900), 20);
  EXPECT_EQ(curve.covered_ns(0, 150), 50);
  EXPECT_EQ(curve.covered_ns(300, 400), 0);
}

TEST(SampleCurve, TheLowestIsOfThePointsBetween) {
  SampleCurve curve(CurveKind::kFloorGauge);
  for (std::int64_t i = 0; i < 8; ++i) curve.add(i * 10, i % 4 == 2 ? 1 : 5, 4);
  EXPECT_DOUBLE_EQ(curve.lowest(0, 40), 1);
  EXPECT_DOUBLE_EQ(curve.lowest(70, 80), 5);
  EXPECT_DOUBLE_EQ(curve.lowest(100, 200), 5);  // beyond the last
}

TEST(SampleCurve, ThinnedPeaksStay) {
  SampleCurve curve(CurveKind::kPeakGauge);
  for (std::int64_t i = 0; i < 10'000; ++i) curve.add(i + 1, i == 7001 ? 99 : 1, 64);
  EXPECT_LE(curve.points().size(), 64U);
  EXPECT_DOUBLE_EQ(curve.peak(), 99);
  double most = 0;
  for (const auto& point : curve.points()) most = std::max(most, point.value);
  EXPECT_DOUBLE_EQ(most, 99);
  EXPECT_EQ(curve.last_ns(), 10'000);
}

}  // namespace
}  // namespace latido::analysis
