#include "diagnosis/step_view.h"

#include <gtest/gtest.h>

#include "diagnosis/facts_fixture.h"

namespace latido::diagnosis {
namespace {

TEST(StepView, AddsUpWhatComputes) {
  const analysis::RunFacts facts = steady_run();
  const auto view = step_view(facts);
  ASSERT_TRUE(view.has_value());
  EXPECT_EQ(view->step_ns, 92.0 * kMs);
  EXPECT_EQ(view->compute_ns, 90.0 * kMs);
  EXPECT_NEAR(view->steps_ratio, 9200.0 / 10200.0, 1e-9);
  EXPECT_EQ(view->batches_per_step, 1.0);
}

TEST(StepView, IsEmptyWithoutSteadySteps) {
  EXPECT_FALSE(step_view(plain_program()).has_value());
  EXPECT_FALSE(step_view({}).has_value());
}

TEST(BusyCores, OfAConfinedRunAreItsOwn) {
  analysis::RunFacts facts = steady_run();
  EXPECT_DOUBLE_EQ(*busy_cores(facts), 3.2);
  EXPECT_NEAR(*foreign_cores(facts), 0.1, 1e-9);
  // A container with 8 of 64 cores, on a machine of which 40 are busy.
  facts.resources.machine_cores = 64;
  facts.resources.cpu_busy_cores = 40;
  EXPECT_DOUBLE_EQ(*busy_cores(facts), 3.1);
  EXPECT_FALSE(foreign_cores(facts).has_value());
  EXPECT_NEAR(*idle_cores(facts), 4.9, 1e-9);
  EXPECT_FALSE(cores_full(facts, 0.9));
}

TEST(BusyCores, AreUnknownWhenNotSampled) {
  const analysis::RunFacts facts;
  EXPECT_FALSE(busy_cores(facts).has_value());
  EXPECT_FALSE(idle_cores(facts).has_value());
  EXPECT_FALSE(cores_full(facts, 0.9));
  EXPECT_EQ(usable_cores(facts), 1.0);
}

TEST(SteadyWindow, IsTheRunWithoutSteps) {
  const Window window = steady_window(plain_program(5 * kMs));
  EXPECT_EQ(window.start_ns, 0);
  EXPECT_EQ(window.end_ns, 5 * kMs);
}

}  // namespace
}  // namespace latido::diagnosis
