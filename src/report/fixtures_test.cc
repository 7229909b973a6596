#include "report/fixtures.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

namespace latido::report::fixtures {
namespace {

using analysis::RankFacts;
using model::Params;

constexpr std::int64_t kMs = 1'000'000;
constexpr std::int64_t kS = 1'000'000'000;
constexpr std::int64_t kStart_ns = 5'000 * kS;

std::int64_t ms(double value) { return std::llround(value * 1e6); }
std::int64_t seconds(double value) { return std::llround(value * 1e9); }

// Deterministic noise in −1..1.
double noise(std::uint64_t i) {
  return static_cast<double>((i * 2654435761U + 12345U) % 2001U) / 1000.0 - 1.0;
}

void set_phases(RankFacts& rank, const std::array<std::int64_t, model::kPhaseCount>& means) {
  for (std::size_t i = 0; i < model::kPhaseCount; ++i) rank.phases[i].mean_ns = means[i];
  std::int64_t sum_ns = 0;
  for (const std::int64_t ns : means) sum_ns += std::max<std::int64_t>(ns, 0);
  rank.stats.mean_ns = sum_ns;
}

// Steps around the means; every 1,000th takes twice as long, as after a checkpoint.
void add_steps(RankFacts& rank, std::size_t warmup, std::size_t steady, std::int64_t start_ns) {
  std::int64_t at_ns = start_ns;
  for (std::size_t i = 0; i < warmup + steady; ++i) {
    model::Step step{.start_ns = at_ns};
    const double slow = i < warmup ? 2.0 : i % 1000 == 999 ? 2.2 : 1.0;
    for (std::size_t p = 0; p < model::kPhaseCount; ++p) {
      const std::int64_t mean_ns = rank.phases[p].mean_ns;
      step.phase_ns[p] =
          mean_ns == model::kNotMeasured
              ? mean_ns
              : std::llround(static_cast<double>(mean_ns) * slow * (1 + 0.15 * noise(i * 7 + p)));
      step.wall_ns += std::max<std::int64_t>(step.phase_ns[p], 0);
    }
    step.other_ns[4] = std::max<std::int64_t>(step.phase_ns[6], 0);
    step.batches = step.backwards = step.optimizer_calls = 1;
    step.samples = 64;
    step.loss =
        static_cast<float>(0.8 + 1.6 * std::exp(-static_cast<double>(i) / 900.0) + 0.05 * noise(i));
    if (i < warmup) step.flags = model::StepFlags::kWarmup;
    if (i == warmup) rank.steady_start_ns = at_ns;
    at_ns += step.wall_ns;
    rank.steps.push_back(step);
  }
  rank.step_count = rank.steps.size();
  rank.steady_end_ns = at_ns;
}

void add_loss(RankFacts& rank, std::size_t points, std::uint64_t steps) {
  for (std::size_t i = 0; i < points; ++i) {
    const double x = static_cast<double>(i) / static_cast<double>(points);
    rank.loss.push_back(
        {.step = steps * i / points, .value = 0.83 + 1.5 * std::exp(-7 * x) + 0.03 * noise(i)});
  }
}

void add_curve(analysis::RunFacts& facts, std::string metric, double level, double swing) {
  analysis::ResourceCurve curve{.metric = std::move(metric), .ts_ns = {}, .values = {}};
  constexpr std::int64_t kPoints = 300;
  for (std::int64_t i = 0; i < kPoints; ++i) {
    curve.ts_ns.push_back(facts.run.start_ns + facts.run.wall_ns() * i / kPoints);
    curve.values.push_back(level + swing * noise(static_cast<std::uint64_t>(i)) +
                           swing * std::sin(static_cast<double>(i) / 20));
  }
  facts.curves.push_back(std::move(curve));
}

Example base_run(std::string name, double wall_s) {
  Example run;
  run.facts.run.id = "01JDXK3V7Q8Z5N4M2R6T0F3A00";
  run.facts.run.name = std::move(name);
  run.facts.run.command = {"python", "train.py"};
  run.facts.run.folder = "/home/ana/vision";
  run.facts.run.started_wall_ns = 1'764'496'920LL * kS;
  run.facts.run.start_ns = kStart_ns;
  run.facts.run.end_ns = kStart_ns + seconds(wall_s);
  run.facts.run.end.kind = model::EndKind::kExit;
  run.facts.run.latido_version = "0.1.0";
  run.facts.run.environment = {.host = "laptop",
                               .os = "Debian GNU/Linux 12 (bookworm)",
                               .kernel = "6.1.0",
                               .cpu = "AMD EPYC 7543 32-Core Processor",
                               .cores = 8,
                               .memory_bytes = std::uint64_t{16} << 30U,
                               .container = {},
                               .job = {},
                               .git_commit = "870ef8d",
                               .python = "3.11.2",
                               .torch = "2.13.0"};
  run.facts.quality.accepted = 1'234'567;
  run.facts.quality.overhead_ratio = 0.004;
  run.facts.quality.hooks = {{"dataloader", "ok"}, {"module", "ok"}, {"optimizer", "ok"}};
  run.facts.processes.push_back({.pid = 4100,
                                 .parent_pid = 4099,
                                 .start_ns = kStart_ns,
                                 .end_ns = run.facts.run.end_ns,
                                 .command = "python train.py",
                                 .role = model::ProcessRole::kOther,
                                 .rank = std::nullopt});
  return run;
}

model::Finding input_bound_finding() {
  const auto evidence = [](std::string id, Params params) {
    return model::Evidence{.message = {std::move(id), std::move(params)},
                           .start_ns = kStart_ns + 65 * kS,
                           .end_ns = kStart_ns + 3'600 * kS};
  };
  model::Finding finding;
  finding.rule = "input-bound";
  finding.confidence = 0.93;
  finding.headline = {"input_bound.workers_busy", Params{}
                                                      .set("wait_ratio", 0.5728)
                                                      .set("workers", std::int64_t{2})
                                                      .set("idle_cores", 22.0)
                                                      .set("cores", 32.0)};
  finding.action = {"input_bound.action.set_workers", Params{}
                                                          .set("workers_before", std::int64_t{2})
                                                          .set("workers_after", std::int64_t{6})
                                                          .set("file", "train.py")
                                                          .set("line", std::int64_t{88})};
  finding.gain = model::Gain{.step_before_ns = 412 * kMs,
                             .step_after_ns = 189 * kMs,
                             .low_ns = 181 * kMs,
                             .high_ns = 204 * kMs};
  finding.evidence = {
      evidence("input_bound.evidence.workers", Params{}
                                                   .set("workers", std::int64_t{8})
                                                   .set("busy_ratio", 0.99)
                                                   .set("make_ns", 816 * kMs)
                                                   .set("worker_cpu_ratio", 0.97)),
      evidence("input_bound.evidence.queue",
               Params{}.set("empty", std::int64_t{8471}).set("batches", std::int64_t{8480})),
      evidence("input_bound.evidence.disk_not_cause",
               Params{}.set("disk_busy_ratio", 0.03).set("cached_ratio", 0.94)),
  };
  finding.limits = {
      {"input_bound.limit.compute",
       Params{}.set("workers", std::int64_t{6}).set("compute_ns", 176 * kMs)},
      {"input_bound.limit.cores", Params{}.set("workers", std::int64_t{8}).set("cores", 32.0)},
      {"interval.contention", Params{}.set("low_ns", 181 * kMs).set("high_ns", 204 * kMs)},
  };
  return finding;
}

model::Finding other_heavy_finding() {
  model::Finding finding;
  finding.rule = "other-heavy";
  finding.confidence = 0.6;
  finding.headline = {"other_heavy.headline_zone", Params{}
                                                       .set("other_ratio", 0.0233)
                                                       .set("zone", "augment")
                                                       .set("zone_ratio", 0.00995)
                                                       .set("file", "train.py")
                                                       .set("line", std::int64_t{131})};
  finding.action = {
      "other_heavy.action_zone",
      Params{}.set("zone", "augment").set("file", "train.py").set("line", std::int64_t{131})};
  finding.gain = model::Gain{.step_before_ns = 412 * kMs,
                             .step_after_ns = 412 * kMs - ms(4.1),
                             .low_ns = 405 * kMs,
                             .high_ns = 412 * kMs};
  return finding;
}

RankFacts mockup_rank(std::int32_t number, double wait_ms, double comm_ms) {
  RankFacts rank;
  rank.rank = number;
  rank.process = static_cast<model::ProcessId>(number);
  rank.step_source = analysis::StepSource::kOptimizer;
  set_phases(rank, {ms(wait_ms), ms(9.1), ms(48.2), ms(84.0), ms(comm_ms), ms(11.1), ms(9.6)});
  rank.other_mean_ns = {0, 0, 0, ms(7.3), ms(2.3)};
  rank.stats.count = 8480;
  rank.stats.p50_ns = 405 * kMs;
  rank.stats.p95_ns = 498 * kMs;
  rank.stats.p99_ns = 530 * kMs;
  rank.stats.mean_half_width_ns = ms(1.2);
  rank.parts = {.startup_ns = seconds(41.6),
                .warmup_ns = seconds(23.4),
                .steps_ns = seconds(3493.76),
                .evaluation_ns = seconds(118.6),
                .checkpoint_ns = seconds(37.8),
                .other_ns = seconds(18.84),
                .evaluations = 3,
                .checkpoints = 3};
  rank.zones = {{"augment", "train.py", 131, 8500, seconds(34.9), seconds(34.9), ms(4.1)},
                {"log", "train.py", 140, 8500, seconds(27.2), seconds(27.2), ms(3.2)}};
  rank.loader = analysis::LoaderFacts{.file = "train.py",
                                      .line = 88,
                                      .workers = 2,
                                      .prefetch_factor = 2,
                                      .dataset_length = 1'281'167,
                                      .batch_size = 64,
                                      .batches = 8480,
                                      .queue_empty = 8471,
                                      .made_mean_ns = 816 * kMs};
  rank.samples_per_s = 155.34;
  rank.batch_shape = "64×3×224×224 float32";
  for (std::int32_t w = 0; w < 2; ++w) {
    rank.workers.push_back({.process = static_cast<model::ProcessId>(4 + number * 2 + w),
                            .pid = 4200 + number * 2 + w,
                            .number = w,
                            .batches = 4240,
                            .batch_mean_ns = 816 * kMs,
                            .busy_ratio = 0.99,
                            .cpu_ratio = 0.97});
  }
  add_loss(rank, 500, 8500);
  return rank;
}

}  // namespace

Example mockup_run() {
  Example run = base_run("vit-l-0f3a", 3734.0);
  run.facts.run.command = {"torchrun", "--nproc-per-node", "4",       "train.py",
                           "--model",  "vit_l_16",         "--batch", "64"};
  run.facts.run.environment.host = "gpu-017";
  run.facts.run.environment.cores = 32;
  run.facts.run.environment.memory_bytes = std::uint64_t{256} << 30U;
  run.facts.run.environment.job = "slurm 8812734";
  run.facts.processes.clear();
  for (std::int32_t i = 0; i < 12; ++i) {
    run.facts.processes.push_back(
        {.pid = 4100 + i,
         .parent_pid = 4099,
         .start_ns = kStart_ns,
         .end_ns = run.facts.run.end_ns,
         .command = "python train.py --model vit_l_16 --batch 64",
         .role = i < 4 ? model::ProcessRole::kOther : model::ProcessRole::kWorker,
         .rank = i < 4 ? i : (i - 4) / 2});
  }
  run.facts.ranks = {mockup_rank(0, 231, 18), mockup_rank(1, 236, 14), mockup_rank(2, 243, 8),
                     mockup_rank(3, 234, 16)};
  for (RankFacts& rank : run.facts.ranks) add_steps(rank, 20, 8480, kStart_ns + seconds(41.6));
  run.facts.resources.cores = 32;
  run.facts.resources.cpu_busy_cores = 10.0;
  run.facts.resources.run_rss_peak_bytes = 61 * 0x1p30;
  run.facts.resources.memory_limit_bytes = 256 * 0x1p30;
  run.facts.resources.disk_busy_ratio = 0.03;
  run.facts.resources.disk_read_bytes_per_s = 8.4e6;
  add_curve(run.facts, "run.cpu_cores", 9.5, 0.6);
  add_curve(run.facts, "host.cpu_cores", 10.2, 0.6);
  add_curve(run.facts, "run.rss_bytes", 58 * 0x1p30, 0x1p30);
  add_curve(run.facts, "host.disk.read_bytes_per_s", 8.4e6, 2e6);
  run.facts.quality.overhead_how = "measured";
  run.facts.quality.hooks.emplace_back("amp", "ok");
  run.diagnosis.verdict = "input-bound";
  run.diagnosis.findings = {input_bound_finding(), other_heavy_finding()};
  return run;
}

Example healthy_run() {
  Example run = base_run("digits-9k2d", 48.2);
  RankFacts rank;
  rank.step_source = analysis::StepSource::kOptimizer;
  set_phases(rank, {ms(0.31), model::kNotMeasured, ms(4.8), ms(8.9), model::kNotMeasured, ms(1.1),
                    ms(0.19)});
  rank.phases[1].reason = "no_device";
  rank.phases[4].reason = "single_process";
  rank.other_mean_ns = {0, 0, 0, 0, ms(0.19)};
  rank.stats.count = 2980;
  rank.stats.p50_ns = ms(15.2);
  rank.stats.p95_ns = ms(16.9);
  rank.stats.p99_ns = ms(18.0);
  rank.parts = {.startup_ns = seconds(2.3),
                .warmup_ns = seconds(0.5),
                .steps_ns = seconds(45.0),
                .evaluation_ns = 0,
                .checkpoint_ns = 0,
                .other_ns = seconds(0.4),
                .evaluations = 0,
                .checkpoints = 0};
  rank.samples_per_s = 4183;
  rank.batch_shape = "64×64 float32";
  add_loss(rank, 300, 3000);
  add_steps(rank, 20, 2980, kStart_ns + seconds(2.3));
  run.facts.ranks = {std::move(rank)};
  run.facts.resources.cores = 8;
  run.facts.resources.cpu_busy_cores = 7.6;
  run.facts.resources.run_cpu_cores = 7.4;
  run.facts.resources.run_rss_peak_bytes = 0.9 * 0x1p30;
  run.facts.resources.memory_limit_bytes = 16 * 0x1p30;
  run.facts.quality.hooks.emplace_back("ddp", "absent: torch built without torch.distributed");
  add_curve(run.facts, "run.cpu_cores", 7.4, 0.2);
  run.diagnosis.verdict = "healthy";
  run.diagnosis.headline = {
      "verdict.healthy",
      Params{}.set("part", "compute").set("part_ratio", 0.967).set("limit", "cores")};
  return run;
}

Example no_steps_run() {
  Example run = base_run("clean-77ab", 12.6);
  run.facts.run.command = {"python", "clean.py"};
  RankFacts rank;
  rank.parts.other_ns = seconds(12.6);
  rank.zones = {{"groupby", "clean.py", 31, 12, seconds(7.9), seconds(7.4), 0},
                {"read_csv", "clean.py", 18, 3, seconds(3.1), seconds(3.1), 0},
                {"write", "clean.py", 44, 1, seconds(0.4), seconds(0.4), 0}};
  run.facts.ranks = {std::move(rank)};
  run.facts.processes[0].command = "python clean.py";
  run.facts.process_use = {{.process = model::ProcessId{0},
                            .cpu_ns = seconds(11.9),
                            .rss_peak_bytes = std::int64_t{1'900'000'000}}};
  run.facts.resources.cores = 8;
  run.facts.resources.cpu_busy_cores = 1.1;
  run.facts.resources.run_cpu_cores = 0.97;
  run.facts.resources.run_rss_peak_bytes = 1.9e9;
  run.facts.resources.memory_limit_bytes = 16 * 0x1p30;
  run.facts.resources.disk_busy_ratio = 0.12;
  run.facts.quality.hooks = {{"dataloader", "absent: torch was not imported"},
                             {"optimizer", "absent: torch was not imported"}};
  run.facts.quality.notes = {};
  model::Finding finding;
  finding.rule = "one-core-bound";
  finding.confidence = 0.8;
  finding.headline = {"one_core_bound.headline_no_steps",
                      Params{}.set("main_cores", 0.97).set("idle_cores", 6.9).set("cores", 8.0)};
  finding.action = {"one_core_bound.action_no_steps",
                    Params{}.set("processes_after", std::int64_t{8})};
  finding.evidence = {
      {.message = {"one_core_bound.evidence.zone", Params{}
                                                       .set("zone", "groupby")
                                                       .set("self_ns", seconds(7.4))
                                                       .set("file", "clean.py")
                                                       .set("line", std::int64_t{31})},
       .start_ns = kStart_ns,
       .end_ns = kStart_ns + 12 * kS}};
  run.diagnosis.verdict = "one-core-bound";
  run.diagnosis.findings = {std::move(finding)};
  return run;
}

Example marked_run() {
  Example run = base_run("kmeans-6mfs", 3.88);
  run.facts.run.folder = "/home/ana/cpp";
  RankFacts rank;
  rank.step_source = analysis::StepSource::kApi;
  constexpr std::int64_t kNone = model::kNotMeasured;
  set_phases(rank, {kNone, kNone, kNone, kNone, kNone, kNone, ms(57.6)});
  rank.phases[0].reason = "no_loader";
  rank.phases[1].reason = "no_device";
  for (const std::size_t i : {2U, 3U, 5U}) rank.phases[i].reason = "not_seen";
  rank.phases[4].reason = "single_process";
  rank.other_mean_ns = {0, 0, 0, ms(57.5), ms(0.1)};
  rank.stats.count = 47;
  rank.stats.p50_ns = ms(56.9);
  rank.stats.p95_ns = ms(79.3);
  rank.stats.p99_ns = ms(80);
  rank.parts.startup_ns = seconds(0.04);
  rank.parts.warmup_ns = seconds(1.12);
  rank.parts.steps_ns = seconds(2.71);
  rank.parts.other_ns = seconds(0.01);
  rank.zones = {{"assign", "/home/ana/cpp/kmeans.cc", 45, 67, seconds(3), seconds(3), ms(53)},
                {"save", "/home/ana/cpp/kmeans.cc", 80, 1, ms(1), ms(1), ms(0.02)}};
  add_steps(rank, 20, 47, kStart_ns + seconds(0.04));
  run.facts.ranks = {std::move(rank)};
  run.diagnosis.verdict = "healthy";
  run.diagnosis.headline = {
      "verdict.healthy",
      Params{}.set("part", "other").set("part_ratio", 1.0).set("limit", "one_core")};
  return run;
}

Example died_run() {
  Example run = mockup_run();
  run.facts.run.end = {.kind = model::EndKind::kExit,
                       .code = 1,
                       .signal = 0,
                       .exception = "ValueError: target 1000 is out of bounds",
                       .file = "train.py",
                       .line = 61,
                       .phase = "backward",
                       .open_zone = {},
                       .rank = 2};
  return run;
}

Example killed_run() {
  Example run = healthy_run();
  run.facts.run.end = {.kind = model::EndKind::kSignal,
                       .code = 0,
                       .signal = 9,
                       .exception = {},
                       .file = "train.py",
                       .line = 40,
                       .phase = "forward",
                       .open_zone = "attention",
                       .rank = std::nullopt};
  run.facts.quality.dropped = 1'204;
  run.facts.quality.overhead_ratio = 0.013;
  run.facts.quality.hooks.emplace_back("amp", "failed: no attribute 'unscale_'");
  run.facts.quality.notes = {"one_interpreter_without_extension",
                             "store_failed: No space left on device"};
  return run;
}

Example warming_up_run() {
  Example run = healthy_run();
  run.facts.run.end.kind = model::EndKind::kRunning;
  run.facts.run.end_ns = kStart_ns + 3 * kS;
  RankFacts& rank = run.facts.ranks[0];
  rank.steps.resize(32);
  rank.stats.count = 12;
  rank.parts = {.startup_ns = seconds(2.3),
                .warmup_ns = seconds(0.5),
                .steps_ns = seconds(0.2),
                .evaluation_ns = 0,
                .checkpoint_ns = 0,
                .other_ns = 0,
                .evaluations = 0,
                .checkpoints = 0};
  run.facts.processes[0].end_ns = -1;
  run.diagnosis = {};
  run.diagnosis.verdict = "cannot-tell";
  run.diagnosis.headline = {
      "verdict.cannot_tell",
      Params{}.set("steps", std::int64_t{12}).set("needed", std::int64_t{20})};
  return run;
}

Example hostile_run() {
  Example run = no_steps_run();
  const std::string evil =
      "</title></svg><script>alert(1)</script>\x1b[31m\"' onload=x &amp; | ` \xE2\x80\xAEgnp\n\xff";
  run.facts.run.name = evil;
  run.facts.run.command = {evil};
  run.facts.run.environment.host = evil;
  run.facts.run.environment.job = evil;
  run.facts.run.end.kind = model::EndKind::kExit;
  run.facts.run.end.code = 1;
  run.facts.run.end.exception = evil;
  run.facts.run.end.file = evil;
  run.facts.run.end.open_zone = evil;
  run.facts.processes[0].command = evil;
  run.facts.ranks[0].zones[0].name = evil;
  run.facts.ranks[0].zones[0].file = evil;
  run.facts.ranks[0].batch_shape = evil;
  run.facts.quality.hooks = {{evil, "failed: " + evil}};
  run.facts.quality.notes = {evil};
  add_curve(run.facts, evil, 1, 0.5);
  run.diagnosis.verdict = evil;
  run.diagnosis.findings[0].action.params = Params{};
  run.diagnosis.findings[0].action.id = evil;
  run.diagnosis.findings[0].evidence[0].message.params = Params{}
                                                             .set("zone", evil)
                                                             .set("self_ns", std::int64_t{1})
                                                             .set("file", evil)
                                                             .set("line", std::int64_t{1});
  return run;
}

TEST(Fixtures, AddUp) {
  for (const Example& run : {mockup_run(), healthy_run()}) {
    for (const RankFacts& rank : run.facts.ranks) {
      std::int64_t sum_ns = 0;
      for (const analysis::PhaseStats& phase : rank.phases) {
        sum_ns += std::max<std::int64_t>(phase.mean_ns, 0);
      }
      EXPECT_EQ(sum_ns, rank.stats.mean_ns) << run.facts.run.name;
      EXPECT_EQ(rank.parts.sum_ns(), run.facts.run.wall_ns()) << run.facts.run.name;
    }
  }
}

}  // namespace latido::report::fixtures
