#include "diagnosis/prediction.h"

#include <gtest/gtest.h>

namespace latido::diagnosis {
namespace {

// A training that makes a batch in 20 ms and computes for 10, both on one core.
Pipeline starved_on(double cores) {
  return {.compute_ns = 10e6, .make_ns = 20e6, .transfer_ns = 0.2e6, .cores = cores};
}

model::Gain gain_of_one_worker(const Pipeline& pipeline) {
  return predict_pipeline(pipeline, {.compute_cores_known = true, .workers_before = 0}, 1, 30e6)
      .gain;
}

TEST(PredictPipeline, TakesCoresAsTheyWereWhereHalfOfThemStayFree) {
  const Pipeline pipeline = starved_on(8);
  EXPECT_NEAR(static_cast<double>(gain_of_one_worker(pipeline).step_after_ns),
              predict_step_ns(pipeline, 1), 1);
}

TEST(PredictPipeline, ExpectsSlowerCoresWhereTheLastOnesGetBusy) {
  const Pipeline pipeline = starved_on(2);
  const double as_measured_ns = predict_step_ns(pipeline, 1);
  const model::Gain gain = gain_of_one_worker(pipeline);
  EXPECT_GT(static_cast<double>(gain.step_after_ns), 1.05 * as_measured_ns);
  EXPECT_LE(static_cast<double>(gain.low_ns), as_measured_ns);
  EXPECT_GT(static_cast<double>(gain.high_ns), 1.2 * as_measured_ns);
}

TEST(PredictPipeline, ExpectsNothingOfCoresThatWereBusyAlready) {
  const Pipeline pipeline = starved_on(1);
  EXPECT_NEAR(static_cast<double>(gain_of_one_worker(pipeline).step_after_ns),
              predict_step_ns(pipeline, 1), 1);
}

TEST(IsVague, HighIsMoreThanFourTimesLow) {
  const auto gain = [](std::int64_t low, std::int64_t high) {
    return model::Gain{.step_before_ns = 482, .step_after_ns = 250, .low_ns = low, .high_ns = high};
  };
  EXPECT_TRUE(is_vague(gain(18, 423)));
  EXPECT_TRUE(is_vague(gain(0, 10)));
  EXPECT_FALSE(is_vague(gain(100, 400)));
  EXPECT_TRUE(is_vague(gain(100, 401)));
}

TEST(BusyRatio, IsTheWorkOfAStepOverItsCores) {
  // Making is the limit: 30 ms of work and 0.2 of handing over in about 20 ms on 8 cores.
  EXPECT_NEAR(busy_ratio(starved_on(8), 1), 30.2 / 20 / 8, 0.003);
  EXPECT_NEAR(busy_ratio(starved_on(1), 0), 1, 0.01);
  EXPECT_EQ(busy_ratio(Pipeline{}, 1), 0);
}

}  // namespace
}  // namespace latido::diagnosis
