#include "diagnosis/facts_fixture.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace latido::diagnosis {
namespace {

std::int64_t from_ms(double ms) { return std::llround(ms * static_cast<double>(kMs)); }

void set_phase(model::Step& step, model::Phase phase, double ms) {
  step.phase_ns[static_cast<std::size_t>(phase)] = from_ms(ms);
  step.wall_ns += from_ms(ms);
}

model::Step make_step(const StepParts& parts, std::int64_t start_ns) {
  model::Step step{.start_ns = start_ns, .batches = 1, .backwards = 1, .optimizer_calls = 1};
  set_phase(step, model::Phase::kDataWait, parts.wait_ms);
  set_phase(step, model::Phase::kH2d, parts.h2d_ms);
  set_phase(step, model::Phase::kForward, parts.forward_ms);
  set_phase(step, model::Phase::kBackward, parts.backward_ms);
  set_phase(step, model::Phase::kOptimizer, parts.optimizer_ms);
  set_phase(step, model::Phase::kOther, parts.other_ms);
  step.other_ns[static_cast<std::size_t>(model::OtherPart::kUnnamed)] = from_ms(parts.other_ms);
  step.samples = 64;
  return step;
}

analysis::ResourceFacts quiet_machine() {
  analysis::ResourceFacts resources;
  resources.cores = 8;
  resources.machine_cores = 8;
  resources.cpu_busy_cores = 3.2;
  resources.cpu_iowait_ratio = 0.01;
  resources.cpu_steal_ratio = 0.0;
  resources.run_cpu_cores = 3.1;
  resources.main_cpu_cores = 3.0;
  resources.major_faults_per_s = 0.0;
  resources.swap_in_bytes_per_s = 0.0;
  resources.swap_out_bytes_per_s = 0.0;
  resources.disk_read_bytes_per_s = 1e6;
  resources.disk_write_bytes_per_s = 1e5;
  resources.disk_busy_ratio = 0.02;
  resources.run_read_bytes_per_s = 6e4;
  resources.run_read_chars_per_s = 1e6;
  resources.psi_cpu_some_ratio = 0.01;
  resources.psi_memory_full_ratio = 0.0;
  resources.psi_io_full_ratio = 0.0;
  resources.cgroup_throttled_ratio = 0.0;
  resources.memory_limit_bytes = 64e9;
  resources.memory_available_bytes = 50e9;
  resources.run_rss_peak_bytes = 4e9;
  resources.involuntary_switches_per_s = 50;
  resources.rss_growth_bytes_per_step = 0;
  resources.rss_growth_low_bytes_per_step = -1e3;
  resources.rss_growth_high_bytes_per_step = 1e3;
  return resources;
}

}  // namespace

analysis::RunFacts steady_run(const StepParts& parts, std::uint64_t steps) {
  analysis::RunFacts facts;
  analysis::RankFacts rank;
  rank.step_source = analysis::StepSource::kOptimizer;
  rank.steady_start_ns = 1'000 * kMs;
  std::int64_t now = rank.steady_start_ns;
  for (std::uint64_t i = 0; i < steps; ++i) {
    rank.steps.push_back(make_step(parts, now));
    now = rank.steps.back().end_ns();
  }
  rank.steady_end_ns = now;
  const model::Step step = make_step(parts, 0);
  rank.stats = {.count = steps,
                .mean_ns = step.wall_ns,
                .p50_ns = step.wall_ns,
                .p95_ns = step.wall_ns,
                .p99_ns = step.wall_ns,
                .mean_half_width_ns = step.wall_ns / 200};
  for (const model::Phase phase : model::kPhases) {
    rank.phases[static_cast<std::size_t>(phase)].mean_ns = step.phase(phase);
  }
  rank.other_mean_ns = step.other_ns;
  rank.parts = {.startup_ns = 1'000 * kMs, .steps_ns = now - rank.steady_start_ns};
  facts.run.end_ns = now;
  facts.run.environment.host = "box";
  facts.run.environment.cpu = "a processor";
  facts.run.environment.cores = 8;
  facts.ranks.push_back(std::move(rank));
  facts.resources = quiet_machine();
  return facts;
}

analysis::RunFacts plain_program(std::int64_t wall_ns) {
  analysis::RunFacts facts;
  facts.run.end_ns = wall_ns;
  facts.run.end.kind = model::EndKind::kSignal;
  facts.run.environment.cores = 8;
  facts.ranks.emplace_back();
  facts.ranks.front().parts.other_ns = wall_ns;
  facts.resources = quiet_machine();
  facts.resources.rss_growth_bytes_per_step.reset();
  facts.resources.rss_growth_low_bytes_per_step.reset();
  facts.resources.rss_growth_high_bytes_per_step.reset();
  return facts;
}

void add_loader(analysis::RunFacts& facts, std::uint32_t workers, double make_ms, double busy_ratio,
                double cpu_ratio) {
  analysis::RankFacts& rank = facts.ranks.front();
  rank.loader = analysis::LoaderFacts{.file = "train.py",
                                      .line = 88,
                                      .workers = workers,
                                      .prefetch_factor = workers > 0 ? 2U : 0U,
                                      .dataset_length = 10'000,
                                      .batch_size = 64,
                                      .batches = rank.stats.count,
                                      .queue_empty = rank.stats.count,
                                      .made_mean_ns = from_ms(make_ms)};
  rank.batch_shape = "64\u00d73\u00d732\u00d732 float32";
  for (std::uint32_t i = 0; i < workers; ++i) {
    rank.workers.push_back({.number = static_cast<std::int32_t>(i),
                            .batches = rank.stats.count / workers,
                            .batch_mean_ns = from_ms(make_ms),
                            .busy_ratio = busy_ratio,
                            .cpu_ratio = cpu_ratio});
  }
}

std::string mismatches(const model::Finding& finding) {
  std::string out;
  const auto check = [&](const model::Message& message) {
    const std::string wrong = mismatch(message);
    if (!wrong.empty()) out += wrong + "\n";
  };
  check(finding.headline);
  check(finding.action);
  for (const model::Evidence& evidence : finding.evidence) {
    check(evidence.message);
    if (evidence.end_ns <= evidence.start_ns) out += evidence.message.id + " has no time range\n";
  }
  for (const model::Message& limit : finding.limits) check(limit);
  return out;
}

const model::Message* find_message(const model::Finding& finding, std::string_view id) {
  if (finding.headline.id == id) return &finding.headline;
  if (finding.action.id == id) return &finding.action;
  for (const model::Evidence& evidence : finding.evidence) {
    if (evidence.message.id == id) return &evidence.message;
  }
  const auto it = std::ranges::find(finding.limits, id, &model::Message::id);
  return it == finding.limits.end() ? nullptr : &*it;
}

double number(const model::Message& message, std::string_view param) {
  const model::ParamValue* value = message.params.find(param);
  if (value == nullptr) return std::nan("");
  if (const auto* whole = std::get_if<std::int64_t>(value)) return static_cast<double>(*whole);
  if (const auto* real = std::get_if<double>(value)) return *real;
  return std::nan("");
}

void expect_cases(std::optional<model::Finding> (*check)(const analysis::RunFacts&,
                                                         const Thresholds&),
                  const analysis::RunFacts& base, const std::vector<RuleCase>& cases) {
  for (const RuleCase& c : cases) {
    SCOPED_TRACE(c.name);
    analysis::RunFacts facts = base;
    c.change(facts);
    const std::optional<model::Finding> finding = check(facts, {});
    EXPECT_EQ(finding.has_value(), c.fires);
    if (!finding) continue;
    EXPECT_EQ(mismatches(*finding), "");
    EXPECT_FALSE(finding->evidence.empty());
    EXPECT_GT(finding->confidence, 0.0);
    if (!finding->gain) continue;
    EXPECT_LE(finding->gain->low_ns, finding->gain->step_after_ns);
    EXPECT_GE(finding->gain->high_ns, finding->gain->step_after_ns);
    EXPECT_LE(finding->gain->step_after_ns, finding->gain->step_before_ns);
  }
}

TEST(FactsFixture, StepsAddUp) {
  const analysis::RunFacts facts = steady_run();
  for (const model::Step& step : facts.ranks.front().steps) {
    std::int64_t sum = 0;
    for (const std::int64_t phase : step.phase_ns) sum += phase;
    EXPECT_EQ(sum, step.wall_ns);
  }
}

}  // namespace latido::diagnosis
