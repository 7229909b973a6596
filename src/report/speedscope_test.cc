#include "report/speedscope.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "base/json_reader.h"
#include "report/call_tree_fixture.h"

namespace latido::report {
namespace {

using fixtures::CallTreeBuilder;

JsonValue parsed(const model::CallTree& tree) {
  auto value = parse_json(render_speedscope(tree, "train-0f3a", "latido 1.0"));
  EXPECT_TRUE(value.has_value()) << (value.has_value() ? "" : value.error().message);
  return value.has_value() ? std::move(value).value() : JsonValue();
}

// What the published schema (file-format-schema.json) asks of a file with sampled profiles.
void expect_valid(const JsonValue& file) {
  EXPECT_EQ(file["$schema"].string_or(""), "https://www.speedscope.app/file-format-schema.json");
  const std::size_t frames = file["shared"]["frames"].items().size();
  for (const JsonValue& frame : file["shared"]["frames"].items()) {
    EXPECT_NE(frame["name"].string_or(""), "");
    for (const auto& [key, value] : frame.members()) {
      EXPECT_TRUE((std::set<std::string>{"name", "file", "line", "col"}.contains(key))) << key;
      EXPECT_TRUE(key != "line" || value.integer_or(0) > 0);
    }
  }
  for (const JsonValue& profile : file["profiles"].items()) {
    EXPECT_EQ(profile["type"].string_or(""), "sampled");
    EXPECT_NE(profile["name"].string_or(""), "");
    EXPECT_EQ(profile["unit"].string_or(""), "nanoseconds");
    EXPECT_EQ(profile["startValue"].integer_or(-1), 0);
    ASSERT_EQ(profile["samples"].items().size(), profile["weights"].items().size());
    std::int64_t sum = 0;
    for (const JsonValue& weight : profile["weights"].items()) sum += weight.integer_or(-1);
    EXPECT_EQ(profile["endValue"].integer_or(-1), sum);
    for (const JsonValue& sample : profile["samples"].items()) {
      EXPECT_FALSE(sample.items().empty());
      for (const JsonValue& frame : sample.items()) {
        const std::int64_t index = frame.integer_or(-1);
        EXPECT_TRUE(index >= 0 && static_cast<std::size_t>(index) < frames) << index;
      }
    }
  }
}

TEST(Speedscope, WritesPathsFromTheOutermostCallOn) {
  CallTreeBuilder tree;
  tree.busy({"main", "fit"}, 70).idle({"main", "wait"}, 30, true).idle({"pool"}, 99, false);
  const JsonValue file = parsed(tree.tree);
  expect_valid(file);
  EXPECT_EQ(file["name"].string_or(""), "train-0f3a");
  EXPECT_EQ(file["exporter"].string_or(""), "latido 1.0");
  EXPECT_EQ(file["shared"]["frames"].items().at(0)["name"].string_or(""), "main");
  EXPECT_EQ(file["shared"]["frames"].items().at(0)["file"].string_or(""), "train.py");
  ASSERT_EQ(file["profiles"].items().size(), 2U);
  const JsonValue& wall = file["profiles"].items()[0];
  ASSERT_EQ(wall["samples"].items().size(), 2U);
  EXPECT_EQ(wall["samples"].items()[0].items().at(0).integer_or(-1), 0);
  EXPECT_EQ(wall["samples"].items()[0].items().at(1).integer_or(-1), 1);
  EXPECT_EQ(wall["endValue"].integer_or(0), 100);
  EXPECT_EQ(file["profiles"].items()[1]["endValue"].integer_or(0), 70);
}

TEST(Speedscope, StaysValidWithHostileNamesDeepPathsAndNothing) {
  model::CallTree hostile;
  hostile.frames = {{"\xff\"</script>\n", "", 0}, {"", "a\tb", 3}};
  hostile.nodes = {{}, {.parent = 0}, {.parent = 1, .frame = 1}};
  hostile.times.push_back({.node = 2, .busy_ns = 5});
  expect_valid(parsed(hostile));
  expect_valid(parsed(fixtures::deep_tree(10'000)));
  expect_valid(parsed({}));
  EXPECT_TRUE(parsed({})["profiles"].items().empty());
}

}  // namespace
}  // namespace latido::report
