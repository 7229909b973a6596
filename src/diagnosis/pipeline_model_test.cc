#include "diagnosis/pipeline_model.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

namespace latido::diagnosis {
namespace {

// A prefetch queue as torch's DataLoader has it, event by event: batch i is made by worker i mod W,
// at most `prefetch` a worker are ordered ahead, batches are taken in order, cores are shared
// evenly.
class QueueSimulation {
 public:
  QueueSimulation(const Pipeline& pipeline, std::uint32_t workers, double jitter)
      : pipeline_(pipeline), jitter_(jitter), workers_(workers) {
    for (std::uint32_t i = 0; i < workers * kPrefetch; ++i) order(i);
  }

  // Mean step time after the queue has settled.
  double mean_step_ns(int steps) {
    double measured_from = 0;
    constexpr int kSettle = 50;
    for (int step = 0; step < steps + kSettle; ++step) {
      if (step == kSettle) measured_from = now_;
      run_one_step(static_cast<std::uint32_t>(step));
    }
    return (now_ - measured_from) / steps;
  }

 private:
  static constexpr std::uint32_t kPrefetch = 2;
  struct Worker {
    std::vector<std::uint32_t> ordered;
    double cpu_left = 0;
    double io_left = 0;
    bool busy = false;
  };

  void order(std::uint32_t batch) { workers_[batch % workers_.size()].ordered.push_back(batch); }

  void run_one_step(std::uint32_t batch) {
    while (std::ranges::find(ready_, batch) == ready_.end()) advance(nullptr);
    order(batch + kPrefetch * static_cast<std::uint32_t>(workers_.size()));
    double left = pipeline_.compute_ns + pipeline_.transfer_ns;
    while (left > 0) advance(&left);
  }

  void start_idle_workers() {
    for (Worker& worker : workers_) {
      if (worker.busy || worker.ordered.empty()) continue;
      const double make = pipeline_.make_ns * spread_(random_) * jitter_ + pipeline_.make_ns;
      worker.busy = true;
      worker.cpu_left = make * pipeline_.make_cpu_ratio;
      worker.io_left = make - worker.cpu_left;
    }
  }

  // To the next end of anything; `computing` is what is left of the step, when it computes.
  void advance(double* computing) {
    start_idle_workers();
    double wanted = computing != nullptr ? pipeline_.compute_cores : 0;
    for (const Worker& w : workers_) wanted += w.busy && w.cpu_left > 0 ? 1 : 0;
    const double speed = wanted > pipeline_.cores ? pipeline_.cores / wanted : 1.0;
    double next = computing != nullptr ? *computing / speed : std::numeric_limits<double>::max();
    for (const Worker& w : workers_) {
      if (w.busy) next = std::min(next, w.cpu_left > 0 ? w.cpu_left / speed : w.io_left);
    }
    now_ += next;
    if (computing != nullptr) subtract(*computing, next * speed);
    for (Worker& w : workers_) {
      if (!w.busy) continue;
      w.cpu_left > 0 ? subtract(w.cpu_left, next * speed) : subtract(w.io_left, next);
      if (w.cpu_left > 0 || w.io_left > 0) continue;
      w.busy = false;
      ready_.push_back(w.ordered.front());
      w.ordered.erase(w.ordered.begin());
    }
  }

  static void subtract(double& left, double by) {
    left -= by;
    if (left < 1e-6) left = 0;
  }

  Pipeline pipeline_;
  double jitter_;
  double now_ = 0;
  std::vector<Worker> workers_;
  std::vector<std::uint32_t> ready_;
  std::mt19937_64 random_{7};
  std::uniform_real_distribution<double> spread_{-1.0, 1.0};
};

struct Case {
  std::string_view name;
  Pipeline pipeline;
  // Equal batches let workers that share their time between computing and waiting fall into step, and
  // then collide more often than the model's chance.
  double tolerance = 0.03;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases{
      {"loader far slower, cores to spare",
       {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 80e6, .cores = 16}},
      {"loader a little slower, cores to spare",
       {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 12e6, .cores = 16}},
      {"two cores, training on one",
       {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 20e6, .cores = 2}},
      {"two cores, training on both",
       {.compute_ns = 10e6, .compute_cores = 2, .make_ns = 20e6, .cores = 2}},
      {"two cores, small training on both",
       {.compute_ns = 5e6, .compute_cores = 2, .make_ns = 100e6, .cores = 2}},
      {"one core", {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 10e6, .cores = 1}},
      {"workers wait for data",
       {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 60e6, .make_cpu_ratio = 0.1, .cores = 2},
       0.13},
      {"half computing, half waiting",
       {.compute_ns = 20e6, .compute_cores = 2, .make_ns = 60e6, .make_cpu_ratio = 0.5, .cores = 4},
       0.10},
      {"with transfer",
       {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 40e6, .transfer_ns = 2e6, .cores = 8}},
      {"training on a device, hardly a core",
       {.compute_ns = 30e6, .compute_cores = 0.3, .make_ns = 90e6, .cores = 4}},
  };
  return kCases;
}

TEST(PredictStep, AgreesWithASimulatedQueue) {
  for (const Case& c : cases()) {
    for (const std::uint32_t workers : {1U, 2U, 3U, 4U, 8U}) {
      SCOPED_TRACE(std::string(c.name) + ", workers " + std::to_string(workers));
      const double want = QueueSimulation(c.pipeline, workers, 0.0).mean_step_ns(400);
      const double got = predict_step_ns(c.pipeline, workers);
      EXPECT_NEAR(got / want, 1.0, c.tolerance) << "got " << got / 1e6 << " want " << want / 1e6;
    }
  }
}

TEST(PredictStep, StaysCloseWhenBatchesVary) {
  for (const Case& c : cases()) {
    for (const std::uint32_t workers : {1U, 2U, 4U}) {
      SCOPED_TRACE(std::string(c.name) + ", workers " + std::to_string(workers));
      const double want = QueueSimulation(c.pipeline, workers, 0.3).mean_step_ns(2000);
      const double got = predict_step_ns(c.pipeline, workers);
      EXPECT_NEAR(got / want, 1.0, 0.12) << "got " << got / 1e6 << " want " << want / 1e6;
    }
  }
}

TEST(PredictStep, WithoutWorkersAddsMakingToComputing) {
  EXPECT_EQ(predict_step_ns({.compute_ns = 10, .make_ns = 30, .transfer_ns = 5}, 0), 40);
}

TEST(PredictStep, IsSlowerWhenTheTrainingSuffersMoreThanItsShare) {
  Pipeline pipeline{.compute_ns = 10e6, .compute_cores = 2, .make_ns = 20e6, .cores = 2};
  const double fair = predict_step_ns(pipeline, 2);
  pipeline.unfairness = 2;
  EXPECT_GT(predict_step_ns(pipeline, 2), fair);
}

// What would be measured of a pipeline that behaves as the model says.
PipelineObservation observe(const Pipeline& pipeline, std::uint32_t workers) {
  const double step = predict_step_ns(pipeline, workers);
  const double making = pipeline.make_ns / workers;
  const double cores = workers * pipeline.make_cpu_ratio;
  const double wanted = pipeline.compute_cores + cores;
  const double fair = wanted > pipeline.cores ? pipeline.cores / wanted : 1.0;
  // Of cases in which workers never rest: the training's part runs at the fair speed.
  const double compute = pipeline.compute_ns / fair;
  return {.step_ns = step,
          .wait_ns = step - compute,
          .workers = workers,
          .make_ns = step * workers,
          .worker_busy_ratio = 1.0,
          .make_cpu_ratio = making * pipeline.make_cpu_ratio / step,
          .main_cpu_cores = pipeline.compute_ns * pipeline.compute_cores / step,
          .cores = pipeline.cores,
          .transfer_ns = pipeline.transfer_ns};
}

TEST(InferPipeline, TakesTheMutualSlowingOut) {
  const Case starved[] = {
      {"cores to spare", {.compute_ns = 10e6, .compute_cores = 1, .make_ns = 80e6, .cores = 16}},
      {"two cores", {.compute_ns = 5e6, .compute_cores = 2, .make_ns = 100e6, .cores = 2}},
      {"waiting workers",
       {.compute_ns = 5e6, .compute_cores = 1, .make_ns = 60e6, .make_cpu_ratio = 0.1, .cores = 2}},
  };
  for (const Case& c : starved) {
    SCOPED_TRACE(c.name);
    const Pipeline got = infer_pipeline(observe(c.pipeline, 2));
    EXPECT_NEAR(got.compute_ns / c.pipeline.compute_ns, 1.0, 0.10);
    EXPECT_NEAR(got.make_ns / c.pipeline.make_ns, 1.0, 0.10);
    EXPECT_NEAR(got.make_cpu_ratio, c.pipeline.make_cpu_ratio, 0.10);
    EXPECT_NEAR(predict_step_ns(got, 4) / predict_step_ns(c.pipeline, 4), 1.0, 0.10);
  }
}

TEST(InferPipeline, ReadsInlineLoadingFromTheMainProcess) {
  struct InlineCase {
    std::string_view name;
    double main_cores;
    double want_cpu_ratio;
    double want_compute_cores;
  };
  const InlineCase inline_cases[] = {
      {"computes all the time on one core", 1.0, 1.0, 1.0},
      {"sleeps while it loads", 0.25, 0.0, 1.0},
      {"trains on three cores, loads on one", (10 * 3 + 30 * 1) / 40.0, 1.0, 3.0},
  };
  for (const InlineCase& c : inline_cases) {
    SCOPED_TRACE(c.name);
    const Pipeline got = infer_pipeline(
        {.step_ns = 40e6, .wait_ns = 30e6, .main_cpu_cores = c.main_cores, .cores = 8});
    EXPECT_DOUBLE_EQ(got.compute_ns, 10e6);
    EXPECT_DOUBLE_EQ(got.make_ns, 30e6);
    EXPECT_NEAR(got.make_cpu_ratio, c.want_cpu_ratio, 1e-9);
    EXPECT_NEAR(got.compute_cores, c.want_compute_cores, 1e-9);
  }
}

TEST(KneeWorkers, IsTheSmallestNumberThatIsGoodEnough) {
  struct KneeCase {
    std::string_view name;
    Pipeline pipeline;
    std::uint32_t most;
    std::uint32_t want;
  };
  const KneeCase knee_cases[] = {
      {"eight batches' time for one step",
       {.compute_ns = 10e6, .make_ns = 80e6, .cores = 32},
       32,
       8},
      {"as fast with one", {.compute_ns = 10e6, .make_ns = 9e6, .cores = 32}, 32, 1},
      {"limited by what is allowed", {.compute_ns = 10e6, .make_ns = 80e6, .cores = 32}, 4, 4},
      {"a second one would take the training's core",
       {.compute_ns = 10e6, .make_ns = 10e6, .cores = 2},
       2,
       1},
  };
  for (const KneeCase& c : knee_cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(knee_workers(c.pipeline, c.most, 0.03), c.want);
  }
}

TEST(BatchBytes, ReadsShapesAndRefusesOthers) {
  struct ShapeCase {
    std::string_view shape;
    std::int64_t want;
  };
  const ShapeCase shapes[] = {
      {"64\u00d73\u00d7224\u00d7224 float32", 64LL * 3 * 224 * 224 * 4},
      {"8 int64", 64},
      {"64\u00d73 float32, 64 int64", 64 * 3 * 4},
      {"", 0},
      {"float32", 0},
      {"64\u00d7 float32", 0},
      {"-1\u00d73 float32", 0},
      {"64\u00d73 complex64", 0},
      {"999999999999\u00d7999999999999 float32", 0},
      {"99999999999999999999999 float32", 0},
  };
  for (const ShapeCase& c : shapes) EXPECT_EQ(batch_bytes(c.shape), c.want) << c.shape;
}

}  // namespace
}  // namespace latido::diagnosis
