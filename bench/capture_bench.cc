// What a zone costs the program that has it, beside what the clock alone costs. CPU time of the
// thread.
//
//   capture_bench                       recording, with an agent that drains
//   LATIDO_DISABLE=1 capture_bench      off
//
// Repetitions are interleaved at random, so that a noisy neighbour hits all alike: compare medians.
#include <benchmark/benchmark.h>
#include <latido/latido.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "capture/clock_source.h"
#include "draining_agent.h"

namespace {

constinit latido_site g_site{"bench.zone", "zone", __FILE__, __LINE__, 0};
constinit latido_site g_series{"bench.series", "series", __FILE__, __LINE__, 0};
constinit latido_site g_arg{"bench.arg", "arg", __FILE__, __LINE__, 0};

void empty_loop(benchmark::State& state) {
  for (auto _ : state) benchmark::ClobberMemory();
}

void clock_pair(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(latido::capture::read_ticks());
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(latido::capture::read_ticks());
  }
}

void zone(benchmark::State& state) {
  for (auto _ : state) {
    LATIDO_ZONE("bench.macro");
    benchmark::ClobberMemory();
  }
}

void zone_with_arg(benchmark::State& state) {
  for (auto _ : state) {
    if (latido_begin(&g_site) == 0) continue;
    latido_arg(&g_arg, 7);
    latido_end(&g_site);
  }
}

std::unique_ptr<latido::bench::DrainingAgent> g_agent;
std::uint64_t g_wanted_drops = 0;

bool record_zone() {
  if (latido_begin(&g_site) == 0) return false;
  latido_end(&g_site);
  return true;
}

// With a full ring. Afterwards it is drained, so that the other cases find it empty.
void dropped_zone(benchmark::State& state) {
  g_agent->pause(true);
  while (record_zone() || latido_dropped() == g_wanted_drops) continue;
  const std::uint64_t before = latido_dropped();
  for (auto _ : state) record_zone();
  if (latido_dropped() - before != static_cast<std::uint64_t>(state.iterations())) {
    state.SkipWithError("not every zone was dropped and counted");
  }
  g_agent->pause(false);
  while (!record_zone()) continue;
  g_wanted_drops = latido_dropped();
}

void value(benchmark::State& state) {
  std::uint32_t index = 0;
  for (auto _ : state) latido_value(&g_series, ++index, 0.5);
}

void log_by_literal(benchmark::State& state) {
  for (auto _ : state) latido_log("bench.log", 0.5);
}

void step(benchmark::State& state) {
  for (auto _ : state) latido_step();
}

struct Case {
  const char* name;
  void (*run)(benchmark::State&);
};

constexpr Case kCases[] = {
    {"empty_loop", empty_loop},
    {"clock_pair", clock_pair},
    {"zone", zone},
    {"zone_with_arg", zone_with_arg},
    {"dropped_zone", dropped_zone},
    {"value", value},
    {"log", log_by_literal},
    {"step", step},
};

}  // namespace

int main(int argc, char** argv) {
  const bool off = std::getenv("LATIDO_DISABLE") != nullptr;
  if (!off) g_agent = std::make_unique<latido::bench::DrainingAgent>();
  for (const Case& c : kCases) {
    if (off && c.run == dropped_zone) continue;
    benchmark::RegisterBenchmark((std::string(off ? "off/" : "recording/") + c.name).c_str(), c.run)
        ->Repetitions(11)
        ->ReportAggregatesOnly();
  }
  std::vector<char*> arguments(argv, argv + argc);
  std::string interleave = "--benchmark_enable_random_interleaving=true";
  std::string min_time = "--benchmark_min_time=0.1";
  arguments.insert(arguments.begin() + 1, {interleave.data(), min_time.data()});
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  const std::uint64_t lost = latido_dropped() - g_wanted_drops;
  g_agent.reset();
  if (lost != 0)
    std::fprintf(stderr, "the ring ran full: %llu records dropped\n",
                 static_cast<unsigned long long>(lost));
  return lost == 0 ? 0 : 1;
}
