#include "analysis/worker_facts.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "analysis/run_analysis.h"
#include "analysis/test_events.h"

namespace latido::analysis {
namespace {

using model::Category;

// A training of 200 steps of 20 ms, fed by two workers: number 0 needs 36 of each 40 ms, number 1 20.
class FedTraining {
 public:
  explicit FedTraining(bool fork_server = false) {
    loop_.text("loader.facts", Category::kMark,
               R"({"loader":1,"workers":2,"prefetch_factor":2,"dataset_length":5000,)"
               R"("batch_size":32,"file":"train.py","line":88,"pids":[201,202]})");
    loop_.text("batch.shape", Category::kMark, "32x3x8x8 float32");
    std::int32_t parent = 100;
    if (fork_server) {
      loop_.add_process(150, 100);
      parent = 150;
    }
    add_worker(0, 201, parent, 36_ms);
    add_worker(1, 202, parent, 20_ms);
    sample_training();
    loop_.at(TestEvents::kStartNs).on_track(model::TrackId{0});
    for (std::uint64_t i = 0; i < 200; ++i) {
      loop_.wait(1, 10_ms, {{"batch", i}, {"worker_pid", 201 + i % 2}, {"queue_ready", i % 2}});
      loop_.forward(4_ms).backward(5_ms).step(1, 1_ms);
    }
  }

  RunFacts facts() {
    RunAnalysis analysis;
    analysis.add_events(loop_.tables(), loop_.events());
    analysis.add_samples(series_, samples_);
    model::Run run;
    run.start_ns = TestEvents::kStartNs;
    run.end_ns = loop_.now_ns();
    return analysis.facts(run, {}, loop_.tables());
  }

 private:
  // 0.6 cores used, and 0.3 of the time without one.
  void sample_training() {
    const model::SeriesId cpu =
        series_.intern({.metric = "proc.cpu.user_ns", .process = model::ProcessId{0}, .label = ""});
    const model::SeriesId delay = series_.intern(
        {.metric = "proc.cpu.run_delay_ns", .process = model::ProcessId{0}, .label = ""});
    for (std::int64_t s = 0; s <= 4; ++s) {
      const std::int64_t ts_ns = TestEvents::kStartNs + s * 1'000_ms;
      samples_.push_back({.series = cpu, .ts_ns = ts_ns, .value = static_cast<double>(s * 600_ms)});
      samples_.push_back(
          {.series = delay, .ts_ns = ts_ns, .value = static_cast<double>(s * 300_ms)});
    }
  }

  void add_worker(std::uint64_t number, std::int32_t pid, std::int32_t parent, std::int64_t busy) {
    const std::size_t process = loop_.at(TestEvents::kStartNs).add_process(pid, parent);
    loop_.on_track(loop_.add_track(process));
    loop_.text("worker.start", Category::kMark,
               R"({"worker":)" + std::to_string(number) + R"(,"loader":1,"parent":100})");
    for (std::uint64_t i = 0; i < 100; ++i) {
      loop_.begin("worker.task", Category::kWorkerTask);
      loop_.span("decode", Category::kZone, busy / 2).pass(busy / 2);
      loop_.arg("batch", 2 * i + number).arg("worker", number).arg("loader", 1);
      loop_.end("worker.task", Category::kWorkerTask).pass(40_ms - busy);
    }
    // Half of the busy time on a CPU.
    const auto id = static_cast<model::ProcessId>(process);
    // And a quarter of it without one.
    const model::SeriesId delay =
        series_.intern({.metric = "proc.cpu.run_delay_ns", .process = id, .label = ""});
    const model::SeriesId cpu =
        series_.intern({.metric = "proc.cpu.user_ns", .process = id, .label = ""});
    for (std::int64_t s = 0; s <= 4; ++s) {
      samples_.push_back({.series = cpu,
                          .ts_ns = TestEvents::kStartNs + s * 1'000_ms,
                          .value = static_cast<double>(s * busy * 25) / 2});
      samples_.push_back({.series = delay,
                          .ts_ns = TestEvents::kStartNs + s * 1'000_ms,
                          .value = static_cast<double>(s * busy * 25) / 4});
    }
  }

  TestEvents loop_;
  model::SeriesTable series_;
  std::vector<model::Sample> samples_;
};

void expect_two_workers(const RankFacts& rank) {
  ASSERT_TRUE(rank.loader.has_value());
  EXPECT_EQ(rank.loader->workers, 2U);
  EXPECT_EQ(rank.loader->prefetch_factor, 2U);
  EXPECT_EQ(rank.loader->dataset_length, 5000);
  EXPECT_EQ(rank.loader->batch_size, 32);
  EXPECT_EQ(rank.loader->file, "train.py");
  EXPECT_EQ(rank.loader->line, 88U);
  EXPECT_EQ(rank.loader->batches, 200U);
  EXPECT_EQ(rank.loader->queue_empty, 100U);
  EXPECT_NEAR(static_cast<double>(rank.loader->made_mean_ns), 28e6, 1e5);
  ASSERT_EQ(rank.workers.size(), 2U);
  EXPECT_EQ(rank.workers[0].number, 0);
  EXPECT_EQ(rank.workers[0].pid, 201);
  EXPECT_NEAR(*rank.workers[0].busy_ratio, 0.9, 0.01);
  EXPECT_NEAR(*rank.workers[1].busy_ratio, 0.5, 0.01);
  EXPECT_NEAR(*rank.workers[0].cpu_ratio, 0.5, 0.01);
  EXPECT_NEAR(rank.workers[0].core_wait_ratio.value_or(-1), 0.25, 0.01);
  EXPECT_NEAR(static_cast<double>(rank.workers[0].batches), 100, 1);
  EXPECT_NEAR(static_cast<double>(rank.workers[0].batch_mean_ns), 36e6, 2e5);
  EXPECT_EQ(rank.workers[0].wait_mean_ns, 10_ms);
  EXPECT_NEAR(rank.cpu_cores.value_or(-1), 0.6, 0.01);
  EXPECT_NEAR(rank.core_wait_ratio.value_or(-1), 0.3, 0.01);
  ASSERT_EQ(rank.worker_zones.size(), 1U);
  EXPECT_EQ(rank.worker_zones[0].name, "decode");
  EXPECT_EQ(rank.worker_zones[0].calls, 200U);
  EXPECT_EQ(rank.batch_shape, "32×3×8×8 float32");
}

TEST(WorkerFacts, SayHowBusyEachWorkerIs) { expect_two_workers(FedTraining().facts().ranks[0]); }

TEST(WorkerFacts, WorkersOfAForkServerBelongToTheTraining) {
  expect_two_workers(FedTraining(true).facts().ranks[0]);
}

TEST(WorkerFacts, ProcessesThatMakeBatchesAreKnownAsSuch) {
  const RunFacts facts = FedTraining().facts();
  std::size_t workers = 0;
  for (const model::Process& process : facts.processes) {
    const bool is_worker = process.role == model::ProcessRole::kWorker;
    EXPECT_EQ(is_worker, process.pid == 201 || process.pid == 202) << process.pid;
    workers += is_worker ? 1 : 0;
  }
  EXPECT_EQ(workers, 2U);
}

TEST(WorkerFacts, WithoutWorkersTheWaitIsTheMaking) {
  TestEvents loop;
  loop.text("loader.facts", Category::kMark, R"({"loader":1,"workers":0,"batch_size":8})");
  for (int i = 0; i < 100; ++i) {
    loop.wait(1, 6_ms).forward().backward().wait(1, 6_ms).forward().backward().step();
  }
  const RunFacts facts = [&loop] {
    RunAnalysis analysis;
    analysis.add_events(loop.tables(), loop.events());
    return analysis.facts({}, {}, loop.tables());
  }();
  ASSERT_TRUE(facts.ranks[0].loader.has_value());
  EXPECT_EQ(facts.ranks[0].loader->workers, 0U);
  EXPECT_EQ(facts.ranks[0].loader->made_mean_ns, 6_ms);
}

TEST(WorkerFacts, TheSameNumberInEachEpochIsOneWorker) {
  TestEvents loop;
  std::int32_t pid = 300;
  for (int epoch = 0; epoch < 5; ++epoch) {
    const std::int64_t start = loop.now_ns();
    const std::size_t process = loop.add_process(pid++, 100);
    loop.on_track(loop.add_track(process));
    for (int i = 0; i < 40; ++i) {
      loop.span("worker.task", Category::kWorkerTask, 10_ms, {{"worker", 0}, {"loader", 1}});
    }
    loop.tables().processes[process].end_ns = loop.now_ns();
    loop.at(start).on_track(model::TrackId{0}).start_loader(1, 0);
    for (int i = 0; i < 40; ++i) loop.wait(1, 2_ms).forward(3_ms).backward(4_ms).step(1, 1_ms);
    loop.stop(1, 0).pass(100_ms);
  }
  RunAnalysis analysis;
  analysis.add_events(loop.tables(), loop.events());
  const RankFacts rank = analysis.facts({}, {}, loop.tables()).ranks[0];
  ASSERT_EQ(rank.workers.size(), 1U);
  EXPECT_NEAR(static_cast<double>(rank.workers[0].batches), 200, 2);
  EXPECT_NEAR(*rank.workers[0].busy_ratio, 1.0, 0.02);
}

}  // namespace
}  // namespace latido::analysis
