#include "analysis/layer_table.h"

#include <gtest/gtest.h>

#include <string>

#include "analysis/layer_samples.h"
#include "analysis/run_analysis.h"
#include "analysis/test_events.h"

namespace latido::analysis {
namespace {

using model::Category;

// A training whose layers are sampled in some of its steps.
class Sampled {
 public:
  Sampled() {
    identify("Net", R"({"model":"Net","path":"","class":"Net","place":0,"parameters":30})");
    identify("body", R"({"model":"Net","path":"body","class":"Sequential","place":1})");
    identify("body.0", R"({"model":"Net","path":"body.0","class":"Linear","place":2,
                           "parameters":30,"own_parameters":30})");
  }

  void identify(const std::string& name, const std::string& facts) {
    loop.text(name, Category::kLayer, facts);
  }
  void sample(std::uint64_t number) {
    loop.instant("layers.sample", Category::kLayerSample, number);
  }
  void plain_step() { loop.wait(1, 1_ms).forward(3_ms).backward(5_ms).step(1, 1_ms); }

  // Forward: 1 ms of Net, 2 of body, 4 of body.0, 1 of body; backward: 3 before any layer, 1 of body,
  // 6 of body.0, 2 of Net.
  void timed_step() {
    sample(1);
    loop.wait(1, 1_ms);
    loop.begin("Net.forward", Category::kForward);
    begin("Net", 1_ms);
    begin("body", 2_ms);
    begin("body.0", 4_ms);
    end("body.0", 1_ms);
    end("body", 0);
    end("Net", 0);
    loop.end("Net.forward", Category::kForward);
    pass_backward(++passes);
    loop.step(1, 1_ms);
    sample(0);
  }
  void pass_backward(std::uint64_t number) {
    loop.begin("backward", Category::kBackward).arg("pass", number).pass(3_ms);
    mark("body", number, 1_ms);
    mark("body.0", number, 6_ms);
    mark("Net", number, 2_ms);
    loop.end("backward", Category::kBackward);
  }
  void begin(const std::string& name, std::int64_t then_ns) {
    loop.begin(name, Category::kLayer).pass(then_ns);
  }
  void end(const std::string& name, std::int64_t then_ns) {
    loop.end(name, Category::kLayer).pass(then_ns);
  }
  void mark(const std::string& name, std::uint64_t number, std::int64_t then_ns) {
    loop.instant(name, Category::kLayer, number).pass(then_ns);
  }

  RankFacts rank() {
    RunAnalysis analysis;
    analysis.add_events(loop.tables(), loop.events());
    model::Run run;
    run.start_ns = TestEvents::kStartNs;
    run.end_ns = loop.now_ns();
    return analysis.facts(run, {}, loop.tables()).ranks.at(0);
  }

  TestEvents loop;
  std::uint64_t passes = 0;
};

const LayerTime& layer(const LayerFacts& facts, const std::string& name) {
  for (const LayerTime& each : facts.layers) {
    if (each.name() == name) return each;
  }
  ADD_FAILURE() << "no layer " << name;
  static const LayerTime kNone;
  return kNone;
}

TEST(LayerTable, BackwardIsCutByMarksAndForwardByCalls) {
  Sampled run;
  for (int i = 0; i < 3; ++i) run.plain_step();
  run.timed_step();
  run.timed_step();
  const LayerFacts facts = run.rank().layers;
  EXPECT_EQ(facts.timed_steps, 2U);
  ASSERT_EQ(facts.layers.size(), 3U);
  EXPECT_EQ(facts.layers[0].name(), "Net") << "in the order of the model";
  EXPECT_EQ(facts.backward_before_ns, 3_ms);
  const LayerTime& net = layer(facts, "Net");
  EXPECT_EQ(net.calls, 1);
  EXPECT_EQ(net.forward_ns, 8_ms);
  EXPECT_EQ(net.forward_self_ns, 1_ms);
  EXPECT_EQ(net.backward_self_ns, 2_ms);
  EXPECT_EQ(net.backward_ns, 9_ms) << "with what is inside";
  EXPECT_EQ(net.parameters, 30);
  const LayerTime& body = layer(facts, "body");
  EXPECT_EQ(body.forward_self_ns, 3_ms);
  EXPECT_EQ(body.backward_ns, 7_ms);
  EXPECT_EQ(layer(facts, "body.0").backward_self_ns, 6_ms);
  EXPECT_EQ(layer(facts, "body.0").kind, "Linear");
}

TEST(LayerTable, MarksMayComeFromAThreadOfTheDevice) {
  Sampled run;
  run.plain_step();
  run.sample(1);
  const model::TrackId training{};
  const model::TrackId device = run.loop.add_track(0);
  const std::int64_t start_ns = run.loop.now_ns();
  run.loop.begin("backward", Category::kBackward).arg("pass", 9).pass(10_ms);
  run.loop.end("backward", Category::kBackward).step(1, 1_ms);
  run.sample(0);
  // They are drained later than the pass's end.
  run.loop.on_track(device).at(start_ns + 1_ms);
  run.mark("body.0", 9, 4_ms);
  run.mark("Net", 9, 0);
  run.loop.on_track(training).at(start_ns + 20_ms);
  const LayerFacts facts = run.rank().layers;
  EXPECT_EQ(layer(facts, "body.0").backward_self_ns, 4_ms);
  EXPECT_EQ(layer(facts, "Net").backward_self_ns, 5_ms);
  EXPECT_EQ(facts.backward_before_ns, 1_ms);
}

TEST(LayerTable, AStepThatDidNotEndIsLeftOut) {
  Sampled run;
  run.plain_step();
  run.timed_step();
  run.sample(1);
  run.begin("Net", 50_ms);
  const LayerFacts facts = run.rank().layers;
  EXPECT_EQ(facts.timed_steps, 1U);
  EXPECT_EQ(layer(facts, "Net").forward_ns, 8_ms);
}

TEST(LayerTable, RecomputedLayersAreBackwardAndNotCalledTwice) {
  Sampled run;
  run.plain_step();
  run.sample(1);
  run.loop.begin("Net.forward", Category::kForward);
  run.begin("body.0", 2_ms);
  run.end("body.0", 0);
  run.loop.end("Net.forward", Category::kForward);
  run.loop.begin("backward", Category::kBackward).arg("pass", 1);
  run.mark("body.0", 1, 1_ms);
  run.begin("body.0", 2_ms);
  run.end("body.0", 3_ms);
  run.loop.end("backward", Category::kBackward).step(1);
  run.sample(0);
  const LayerFacts facts = run.rank().layers;
  const LayerTime& linear = layer(facts, "body.0");
  EXPECT_EQ(linear.calls, 1);
  EXPECT_EQ(linear.forward_ns, 2_ms);
  EXPECT_EQ(linear.backward_self_ns, 6_ms);
  EXPECT_EQ(linear.recomputed_ns, 2_ms);
}

TEST(LayerTable, ASkippedUpdateIsAStepOfItsOwn) {
  Sampled run;
  run.plain_step();
  run.sample(1);
  for (const bool skips : {true, false}) {
    run.loop.begin("Net.forward", Category::kForward);
    run.begin("Net", 4_ms);
    run.end("Net", 0);
    run.loop.end("Net.forward", Category::kForward).backward().scaler(skips);
  }
  run.sample(0);
  const LayerFacts facts = run.rank().layers;
  EXPECT_EQ(facts.timed_steps, 2U);
  EXPECT_EQ(layer(facts, "Net").forward_ns, 4_ms);
}

TEST(LayerTable, CountsAreMeansOfTheirOwnSteps) {
  Sampled run;
  run.timed_step();
  for (int i = 0; i < 2; ++i) {
    run.sample(2);
    run.loop.forward().text("body.0", Category::kLayer,
                            R"({"forward_flops":100,"backward_flops":200,"activation_bytes":64})");
    run.loop.backward().step(1);
    run.sample(0);
  }
  const LayerFacts facts = run.rank().layers;
  EXPECT_EQ(facts.timed_steps, 1U);
  EXPECT_EQ(facts.counted_steps, 2U);
  EXPECT_EQ(layer(facts, "body.0").forward_self_flops, 100);
  EXPECT_EQ(layer(facts, "Net").backward_flops, 200);
  EXPECT_EQ(layer(facts, "Net").backward_self_flops, 0);
  EXPECT_EQ(layer(facts, "body").activation_bytes, 64);
}

TEST(LayerTable, TextsOfAProgramMayBeAnything) {
  Sampled run;
  run.timed_step();
  for (const char* text : {"", "{", "[]", "{\"place\":-5,\"class\":7}", "{\"forward_flops\":-1}",
                           "{\"path\":\"a\\u0000b\",\"parameters\":9223372036854775807}"}) {
    run.identify("odd", text);
    run.loop.text("layers.note", Category::kLayerSample, text);
  }
  run.sample(7);
  run.loop.instant("Net", Category::kLayer, ~std::uint64_t{0});
  EXPECT_EQ(run.rank().layers.timed_steps, 1U);
}

TEST(LayerSamples, MeansAreWithoutSampledSteps) {
  Sampled run;
  run.loop.start_loader(1);
  for (int i = 0; i < 60; ++i) run.plain_step();
  run.timed_step();
  for (int i = 0; i < 30; ++i) run.plain_step();
  const RankFacts rank = run.rank();
  EXPECT_EQ(rank.sampled_steps_left_out, 1U);
  EXPECT_EQ(rank.stats.mean_ns, 10_ms);
  std::uint64_t sampled = 0;
  for (const model::Step& step : rank.steps) sampled += step.sampled() ? 1 : 0;
  EXPECT_EQ(sampled, 1U);
}

}  // namespace
}  // namespace latido::analysis
