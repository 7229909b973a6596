// What a function that records itself costs, beside what the clock alone costs: an instrumented function minus
// the same one without. CPU time of the thread.
//
//   native_functions_bench     each mode in a process of its own: off, elided, recorded with an agent that drains
//
// Repetitions are interleaved at random, so that a noisy neighbour hits all alike: compare medians.
#include <benchmark/benchmark.h>
#include <latido/latido.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "capture/clock_source.h"
#include "draining_agent.h"
#include "programs/instrumented_function.h"

namespace {

void clock_pair(benchmark::State& state) {
  for (auto _ : state) {
    benchmark::DoNotOptimize(latido::capture::read_ticks());
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(latido::capture::read_ticks());
  }
}

void plain(benchmark::State& state) {
  int value = 0;
  for (auto _ : state) benchmark::DoNotOptimize(value = plain_function(value));
}

void instrumented(benchmark::State& state) {
  int value = 0;
  for (auto _ : state) benchmark::DoNotOptimize(value = instrumented_function(value));
}

void zone(benchmark::State& state) {
  for (auto _ : state) {
    LATIDO_ZONE("bench.zone");
    benchmark::ClobberMemory();
  }
}

struct Case {
  const char* name;
  void (*run)(benchmark::State&);
};

constexpr Case kCases[] = {
    {"clock_pair", clock_pair}, {"zone", zone}, {"plain", plain}, {"instrumented", instrumented}};

int run_mode(const std::string& mode, int argc, char** argv) {
  auto agent = mode == "off" ? nullptr : std::make_unique<latido::bench::DrainingAgent>();
  for (const Case& c : kCases) {
    benchmark::RegisterBenchmark((mode + "/" + c.name).c_str(), c.run)
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
  const std::uint64_t lost = latido_dropped();
  agent.reset();
  if (lost != 0) {
    std::fprintf(stderr, "the ring ran full: %llu records dropped\n",
                 static_cast<unsigned long long>(lost));
  }
  return lost == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  if (std::getenv("LATIDO_DISABLE") != nullptr) return 0;  // the same as off
  int worst = 0;
  for (const char* mode : {"off", "adaptive", "full"}) {
    const pid_t child = fork();
    if (child == 0) {
      setenv("LATIDO_RUN_FUNCTIONS", mode, 1);
      std::exit(run_mode(mode, argc, argv));
    }
    int status = 1;
    if (waitpid(child, &status, 0) != child || status != 0) worst = 1;
  }
  return worst;
}
