#include "report/json.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

#include "base/json_reader.h"
#include "report/fixtures.h"

namespace latido::report {
namespace {

JsonValue parsed(const fixtures::Example& run) {
  const std::string text = render_json(run.facts, run.diagnosis);
  auto value = parse_json(text);
  EXPECT_TRUE(value.has_value()) << (value.has_value() ? "" : value.error().message);
  return value.has_value() ? std::move(value).value() : JsonValue();
}

bool has_key(const JsonValue& object, std::string_view key) {
  for (const auto& [name, value] : object.members()) {
    if (name == key) return true;
  }
  return false;
}

void expect_keys(const JsonValue& object, const std::vector<std::string_view>& keys,
                 std::string_view where) {
  for (const std::string_view key : keys) EXPECT_TRUE(has_key(object, key)) << where << "." << key;
}

TEST(JsonReport, HasEveryKeyOfTheSchema) {
  const JsonValue report = parsed(fixtures::mockup_run());
  expect_keys(report, {"schema", "sources", "run", "ranks", "findings", "verdict", "quality"}, "");
  EXPECT_EQ(report["schema"].integer_or(0), 1);
  expect_keys(report["run"], {"id", "name", "wall_ns", "end", "parts"}, "run");
  expect_keys(report["run"]["end"], {"kind", "code", "signal", "phase", "rank", "file", "line"},
              "run.end");
  expect_keys(report["run"]["parts"],
              {"startup", "warmup", "steps", "evaluation", "checkpoint", "other"}, "run.parts");
  const JsonValue& rank = report["ranks"].items().at(0);
  expect_keys(
      rank, {"rank", "gpu", "steps", "not_measured", "step_stats", "step_source", "critical_path"},
      "ranks[0]");
  expect_keys(rank["step_stats"], {"count", "mean_ns", "p50_ns", "p95_ns", "p99_ns"}, "step_stats");
  const JsonValue& step = rank["steps"].items().at(0);
  expect_keys(step, {"name", "start_ns", "wall_ns", "parts", "device_parts", "flags"}, "step");
  expect_keys(step["parts"],
              {"data_wait", "h2d", "forward", "backward", "comm_wait", "optimizer", "other"},
              "step.parts");
  const JsonValue& finding = report["findings"].items().at(0);
  expect_keys(finding, {"rule", "confidence", "evidence", "action", "gain", "verify"}, "finding");
  expect_keys(finding["evidence"].items().at(0), {"id", "params", "start_ns", "end_ns"},
              "evidence");
  expect_keys(finding["gain"], {"step_before_ns", "step_after_ns", "low_ns", "high_ns"}, "gain");
  expect_keys(report["quality"],
              {"accepted", "dropped", "malformed", "late", "overhead", "hooks", "notes"},
              "quality");
  expect_keys(report["quality"]["overhead"],
              {"ratio", "how", "low", "high", "budget", "reductions"}, "overhead");
}

TEST(JsonReport, ChecksAChangeOnlyWhereStepsCanBeCompared) {
  const auto verify = [](const fixtures::Example& example) {
    return std::string(parsed(example)["findings"].items().at(0)["verify"].string_or(""));
  };
  EXPECT_EQ(verify(fixtures::mockup_run()), "latido diff vit-l-0f3a last");
  EXPECT_EQ(verify(fixtures::no_steps_run()), "");
}

TEST(JsonReport, CarriesTheValues) {
  const JsonValue report = parsed(fixtures::mockup_run());
  EXPECT_EQ(report["verdict"].string_or(""), "input-bound");
  EXPECT_EQ(report["run"]["wall_ns"].integer_or(0), 3'734'000'000'000);
  const JsonValue& rank = report["ranks"].items().at(2);
  EXPECT_EQ(rank["rank"].integer_or(-1), 2);
  EXPECT_EQ(rank["steps"].items().size(), 8500U);
  EXPECT_EQ(rank["steps"].items()[0]["start_ns"].integer_or(0), 41'600'000'000);
  EXPECT_EQ(rank["steps"].items()[0]["flags"].items().at(0).string_or(""), "warmup");
  EXPECT_EQ(rank["step_stats"]["count"].integer_or(0), 8480);
  const JsonValue& finding = report["findings"].items().at(0);
  EXPECT_EQ(finding["action"]["params"]["workers_after"].integer_or(0), 6);
  EXPECT_EQ(finding["evidence"].items()[0]["start_ns"].integer_or(0), 65'000'000'000);
  EXPECT_EQ(report["quality"]["overhead"]["how"].string_or(""), "measured");
}

TEST(JsonReport, WritesNullForWhatIsUnknown) {
  const JsonValue report = parsed(fixtures::healthy_run());
  const JsonValue& rank = report["ranks"].items().at(0);
  EXPECT_TRUE(rank["rank"].is_null());
  EXPECT_TRUE(rank["gpu"].is_null());
  EXPECT_TRUE(rank["steps"].items().at(0)["parts"]["h2d"].is_null());
  EXPECT_EQ(rank["not_measured"]["h2d"].string_or(""), "no_device");
  EXPECT_TRUE(report["run"]["end"]["signal"].is_null());
  EXPECT_EQ(report["run"]["end"]["code"].integer_or(-1), 0);
  EXPECT_TRUE(report["quality"]["overhead"]["low"].is_null());
  const JsonValue no_steps = parsed(fixtures::no_steps_run());
  EXPECT_TRUE(no_steps["ranks"].items().at(0)["step_stats"]["mean_ns"].is_null());
  EXPECT_EQ(no_steps["ranks"].items().at(0)["step_stats"]["count"].integer_or(-1), 0);
}

TEST(JsonReport, SaysHowTheProgramDied) {
  const JsonValue end = parsed(fixtures::died_run())["run"]["end"];
  EXPECT_EQ(end["kind"].string_or(""), "exit");
  EXPECT_EQ(end["code"].integer_or(0), 1);
  EXPECT_EQ(end["line"].integer_or(0), 61);
  EXPECT_EQ(end["phase"].string_or(""), "backward");
  EXPECT_EQ(end["rank"].integer_or(0), 2);
  const JsonValue killed = parsed(fixtures::killed_run())["run"]["end"];
  EXPECT_EQ(killed["kind"].string_or(""), "signal");
  EXPECT_EQ(killed["signal"].integer_or(0), 9);
  EXPECT_TRUE(killed["code"].is_null());
}

TEST(JsonReport, SaysWhatOfTheRunTheVerdictIsAbout) {
  EXPECT_EQ(parsed(fixtures::healthy_run())["verdict_covers"].string_or(""), "run");
  EXPECT_EQ(parsed(fixtures::died_run())["verdict_covers"].string_or(""), "until_failed");
  EXPECT_EQ(parsed(fixtures::killed_run())["verdict_covers"].string_or(""), "until_killed");
  EXPECT_EQ(parsed(fixtures::warming_up_run())["verdict_covers"].string_or(""), "so_far");
}

TEST(JsonReport, CarriesTheIntervalOfTheOverhead) {
  fixtures::Example run = fixtures::healthy_run();
  run.facts.quality.overhead_low_ratio = 0.001;
  run.facts.quality.overhead_high_ratio = 0.009;
  const JsonValue overhead = parsed(run)["quality"]["overhead"];
  EXPECT_DOUBLE_EQ(overhead["low"].number_or(0), 0.001);
  EXPECT_DOUBLE_EQ(overhead["high"].number_or(0), 0.009);
}

TEST(JsonReport, StaysValidWithHostileNamesAndEmptyFacts) {
  const std::string text =
      render_json(fixtures::hostile_run().facts, fixtures::hostile_run().diagnosis);
  EXPECT_TRUE(parse_json(text).has_value());
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_TRUE(parse_json(render_json({}, {})).has_value());
}

}  // namespace
}  // namespace latido::report
