#include "report/layer_rows.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "report/fixtures.h"
#include "report/golden.h"
#include "report/html.h"
#include "report/layer_pieces.h"
#include "report/markdown.h"
#include "report/terminal.h"

namespace latido::report {
namespace {

using analysis::LayerTime;

constexpr std::int64_t kUs = 1'000;

LayerTime make_layer(std::string path, std::string kind, std::int64_t forward_us,
                     std::int64_t backward_us, std::string model = "VisionTransformer") {
  LayerTime layer{.path = std::move(path), .model = std::move(model), .kind = std::move(kind)};
  layer.calls = 1;
  layer.forward_ns = layer.forward_self_ns = forward_us * kUs;
  layer.backward_ns = layer.backward_self_ns = backward_us * kUs;
  layer.parameters = layer.own_parameters = 4'722'432;
  layer.forward_flops = layer.forward_self_flops = 119'000'000'000;
  layer.backward_flops = layer.backward_self_flops = 238'000'000'000;
  layer.activation_bytes = layer.activation_self_bytes = 38'000'000;
  return layer;
}

// A transformer of three blocks, and a loss.
analysis::LayerFacts make_facts() {
  analysis::LayerFacts facts;
  facts.timed_steps = 12;
  facts.counted_steps = 2;
  facts.sampled_mean_ns = 412'000 * kUs;
  LayerTime model = make_layer("", "VisionTransformer", 900, 400);
  model.forward_ns = 48'200 * kUs;
  model.backward_ns = 84'000 * kUs;
  model.own_parameters = 0;
  model.parameters = 304'326'632;
  facts.layers.push_back(model);
  for (const char* block : {"0", "1", "2"}) {
    const std::string path = std::string("encoder.layers.encoder_layer_x.") + block;
    facts.layers.push_back(
        make_layer(path + ".self_attention", "MultiheadAttention", 3'100, 6'400));
    facts.layers.push_back(make_layer(path + ".mlp.fc1", "Linear", 4'000, 8'100));
    facts.layers.push_back(make_layer(path + ".mlp.fc2", "Linear", 4'100, 7'900));
  }
  facts.layers.push_back(make_layer("", "CrossEntropyLoss", 40, 30, "CrossEntropyLoss"));
  facts.layers.back().parameters = facts.layers.back().own_parameters = 0;
  facts.notes = {"compiled", "no_such_note"};
  return facts;
}

fixtures::Example run_with_layers() {
  fixtures::Example run = fixtures::mockup_run();
  run.facts.ranks.front().layers = make_facts();
  run.facts.ranks.front().sampled_steps_left_out = 12;
  return run;
}

TEST(LayerRows, LayersThatDifferInANumberAreOneRow) {
  const std::vector<LayerRow> rows = layer_rows(make_facts());
  ASSERT_EQ(rows.size(), 5U);
  EXPECT_EQ(rows[0].name, "encoder.layers.encoder_layer_x.*.mlp.fc1");
  EXPECT_EQ(row_name(rows[0]), "encoder.layers.encoder_layer_x.*.mlp.fc1 ×3");
  EXPECT_EQ(rows[0].layers.self_ns(), 3 * 12'100 * kUs);
  EXPECT_EQ(rows[3].name, "VisionTransformer");
  EXPECT_EQ(rows[4].name, "CrossEntropyLoss");
}

TEST(LayerRows, ANumberIsShownWithItsClass) {
  LayerRow row{.name = "features.*", .kind = "Conv2d", .count = 2, .layers = {}};
  EXPECT_EQ(row_name_by_itself(row), "features.* Conv2d ×2");
  row = {.name = "5", .kind = "Linear", .count = 1, .layers = {}};
  EXPECT_EQ(row_name_by_itself(row), "5 Linear");
  row = {.name = "encoder.fc1", .kind = "Linear", .count = 1, .layers = {}};
  EXPECT_EQ(row_name_by_itself(row), "encoder.fc1");
}

TEST(LayerRows, OneLayerKeepsItsNumber) {
  analysis::LayerFacts facts;
  facts.layers = {make_layer("body.0", "Linear", 1, 1), make_layer("body.2", "ReLU", 1, 1)};
  EXPECT_EQ(layer_rows(facts)[0].name, "body.0");
}

TEST(LayerRows, OfSeveralModelsTheNameSaysWhich) {
  analysis::LayerFacts facts;
  facts.layers = {make_layer("main.0", "Linear", 5, 1, "Generator"),
                  make_layer("main.0", "Linear", 1, 1, "Discriminator")};
  const std::vector<LayerRow> rows = layer_rows(facts);
  ASSERT_EQ(rows.size(), 2U);
  EXPECT_EQ(rows[0].name, "Generator.main.0");
  EXPECT_EQ(rows[1].name, "Discriminator.main.0");
}

TEST(LayerRows, WorkASecondIsOfTheOwnTime) {
  const LayerTime layer = make_layer("a", "Linear", 1'000, 2'000);
  EXPECT_NEAR(own_flops_per_s(layer).value_or(0), 119e12, 1e9);
  LayerTime without = layer;
  without.forward_self_flops = model::kNotMeasured;
  EXPECT_FALSE(own_flops_per_s(without));
}

TEST(LayerReport, IsAsPeopleReadIt) {
  for (const Language language : {Language::kEnglish, Language::kSpanish, Language::kItalian}) {
    const fixtures::Example run = run_with_layers();
    const std::string suffix = "." + std::string(to_text(language));
    EXPECT_EQ(golden::difference("layers" + suffix + ".txt",
                                 render_terminal(run.facts, run.diagnosis,
                                                 {.language = language, .expanded = true})),
              "");
    EXPECT_EQ(golden::difference("layers" + suffix + ".md",
                                 render_markdown(run.facts, run.diagnosis, language, 0.01)),
              "");
  }
}

TEST(LayerReport, HtmlHasTheTableAndTheModelInItsOrder) {
  const fixtures::Example run = run_with_layers();
  const std::string page = render_html(run.facts, run.diagnosis, Language::kEnglish, 0.01);
  EXPECT_NE(page.find("encoder_layer_x.*.mlp.fc1 ×3"), std::string::npos);
  EXPECT_NE(page.find("all 11 layers in the order of the model"), std::string::npos);
  EXPECT_EQ(page.find("no_such_note"), std::string::npos);
}

}  // namespace
}  // namespace latido::report
