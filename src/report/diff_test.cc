#include "report/diff.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "report/call_tree_fixture.h"
#include "report/fixtures.h"
#include "report/golden.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::int64_t kUs = 1'000;

// The comparison of the mock-ups.
struct Pair {
  fixtures::Example before = fixtures::mockup_run();
  fixtures::Example after = fixtures::mockup_run();
  diagnosis::Comparison comparison;

  DiffInput input() const {
    DiffInput diff{.before = before.facts, .after = after.facts, .comparison = comparison};
    diff.functions = analysis::compare_functions(before.facts, after.facts);
    return diff;
  }
};

Pair mockup_pair() {
  Pair pair;
  pair.after.facts.run.name = "vit-l-1c77";
  diagnosis::Comparison& got = pair.comparison;
  got.outcome = diagnosis::Outcome::kFaster;
  got.differs = {{"compare.differs.workers",
                  model::Params{}.set("before", std::int64_t{2}).set("after", std::int64_t{6})}};
  got.before_step_ns = 412'000 * kUs;
  got.after_step_ns = 194'600 * kUs;
  got.before_wall_ns = 3'734'000'000'000;
  got.after_wall_ns = 1'893'000'000'000;
  constexpr std::int64_t kBefore_us[] = {236'000, 9'100, 48'200, 84'000, 14'000, 11'100, 9'600};
  constexpr std::int64_t kAfter_us[] = {13'800, 9'300, 49'000, 85'100, 15'600, 11'200, 10'600};
  for (std::size_t i = 0; i < model::kPhaseCount; ++i) {
    got.phases[i].phase = model::kPhases[i];
    got.phases[i].before_ns = kBefore_us[i] * kUs;
    got.phases[i].after_ns = kAfter_us[i] * kUs;
  }
  got.step = analysis::StepComparison{};
  got.step->before_count = got.step->after_count = 8480;
  got.step->speedup = 2.117;
  got.step->speedup_low = 2.08;
  got.step->speedup_high = 2.15;
  got.step->p_value = 0.0005;
  got.step->more_than_noise = true;
  got.step->detectable_ratio = 0.011;
  got.prediction = diagnosis::PredictionScore{.predicted = *pair.before.diagnosis.findings[0].gain,
                                              .measured_ns = 194'600 * kUs,
                                              .tried = true,
                                              .inside = true,
                                              .off_ratio = -0.0288,
                                              .notes = {}};
  got.loss = diagnosis::LossComparison{.before = 0.84,
                                       .after = 0.8425,
                                       .difference_ratio = 0.003,
                                       .low_ratio = -0.004,
                                       .high_ratio = 0.01,
                                       .limit_ratio = 0.02,
                                       .outcome = diagnosis::LossOutcome::kSame};
  return pair;
}

// As the trainer of the mock-ups would be sampled, at 100 Hz.
void sample(analysis::RunFacts& facts, std::int64_t wait_s, std::int64_t decode_s) {
  constexpr std::int64_t kSecond_ns = 1'000'000'000;
  fixtures::CallTreeBuilder calls;
  calls.idle({"main@88", "fetch@12"}, wait_s * kSecond_ns, true)
      .busy({"main@90", "forward@30"}, 500 * kSecond_ns)
      .busy({"main@90", "decode\x1b[31m@7"}, decode_s * kSecond_ns);
  facts.calls = std::move(calls.tree);
  facts.calls.counts.samples = static_cast<std::uint64_t>(100 * (wait_s + 500 + decode_s));
  facts.calls.counts.stacks = facts.calls.counts.samples;
  facts.ranks[0].step_count = 8'500;
}

Pair sampled_pair() {
  Pair pair = mockup_pair();
  sample(pair.before.facts, 2'000, 0);
  sample(pair.after.facts, 100, 40);
  return pair;
}

Pair incomparable_pair() {
  Pair pair;
  pair.after = fixtures::no_steps_run();
  pair.comparison.outcome = diagnosis::Outcome::kCannotTell;
  pair.comparison.not_comparable = {
      {"compare.not_comparable.no_steps",
       model::Params{}.set("before", std::int64_t{8480}).set("after", std::int64_t{0})}};
  for (std::size_t i = 0; i < model::kPhaseCount; ++i) {
    pair.comparison.phases[i].phase = model::kPhases[i];
  }
  return pair;
}

TEST(DiffTerminal, MatchesItsGoldenTextInEveryLanguage) {
  const Pair pair = mockup_pair();
  for (const Language language : kLanguages) {
    const std::string file = "diff." + std::string(to_text(language)) + ".txt";
    DiffInput input = pair.input();
    input.gate = DiffGate{.condition = "step > +3 %", .exit_code = 0};
    EXPECT_EQ(golden::difference(file, render_diff_terminal(input, {.language = language})), "");
  }
  EXPECT_EQ(golden::difference("diff_cannot_tell.en.txt",
                               render_diff_terminal(incomparable_pair().input())),
            "");
}

TEST(DiffTerminal, IsNeverWiderThanTheTerminal) {
  for (const Pair& pair : {mockup_pair(), incomparable_pair()}) {
    for (std::size_t columns = 40; columns <= 200; columns += 7) {
      std::istringstream lines(render_diff_terminal(pair.input(), {.columns = columns}));
      for (std::string line; std::getline(lines, line);) {
        ASSERT_LE(cell_width(line), columns) << line;
      }
    }
  }
}

TEST(DiffTerminal, ComparesRunsWithoutStepsAsAWhole) {
  Pair pair = incomparable_pair();
  diagnosis::Comparison& got = pair.comparison;
  got.before_wall_ns = 12'000'000 * kUs;
  got.after_wall_ns = 9'000'000 * kUs;
  got.whole = diagnosis::WholeComparison{
      .before_cpu_ns = 11'000'000 * kUs,
      .after_cpu_ns = model::kNotMeasured,
      .zones = {{.name = "load\n", .before_ns = 8'000'000 * kUs, .after_ns = 5'000'000 * kUs},
                {.name = std::string(200, 'x'), .after_ns = 1'000'000 * kUs}}};
  got.cautions = {{"compare.caution.contended_after", {}}};
  const std::string text = render_diff_terminal(pair.input());
  for (const std::string_view part :
       {"CANNOT TELL", "12.0 s → 9.0 s", "one run each: nothing tells a change from noise",
        "after: its cores were taken by others", "zone load", "8.00", "5.00", "−3.00", "CPU time",
        "wall time"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(cell_width(line), 80U) << line;
  const std::string json = render_diff_json(pair.input());
  EXPECT_NE(json.find(R"("cpu":{"before_ns":11000000000,"after_ns":null})"), std::string::npos)
      << json;
  EXPECT_NE(json.find("compare.caution.contended_after"), std::string::npos);
  for (const Language language : kLanguages) {
    EXPECT_NE(render_diff_html(pair.input(), language).find("load"), std::string::npos);
    EXPECT_NE(render_diff_markdown(pair.input(), language).find("load"), std::string::npos);
  }
}

TEST(DiffTerminal, SaysThatAPredictionWasForAnotherChange) {
  Pair pair = mockup_pair();
  pair.comparison.prediction->tried = false;
  pair.comparison.prediction->notes = {
      {"compare.prediction.other_change", model::Params{}
                                              .set("workers_predicted", std::int64_t{6})
                                              .set("workers_after", std::int64_t{4})}};
  const std::string text = render_diff_terminal(pair.input());
  EXPECT_NE(text.find("the prediction was for 6 workers, the run has 4"), std::string::npos)
      << text;
  EXPECT_EQ(text.find("inside the interval"), std::string::npos) << text;
}

TEST(DiffTerminal, ListsFunctionsWhoseTimeChanged) {
  const Pair pair = sampled_pair();
  EXPECT_EQ(golden::difference("diff_functions.en.txt", render_diff_terminal(pair.input())), "");
  for (const Language language : kLanguages) {
    for (std::size_t columns = 40; columns <= 200; columns += 7) {
      std::istringstream lines(
          render_diff_terminal(pair.input(), {.columns = columns, .language = language}));
      for (std::string line; std::getline(lines, line);) {
        ASSERT_LE(cell_width(line), columns) << line;
      }
    }
    const std::string markdown = render_diff_markdown(pair.input(), language);
    EXPECT_NE(markdown.find("| fetch |"), std::string::npos) << markdown;
  }
}

TEST(DiffTerminal, SaysWhichRunWasNotSampled) {
  Pair pair = sampled_pair();
  pair.before.facts.calls = {};
  const std::string text = render_diff_terminal(pair.input());
  EXPECT_NE(text.find("no stacks were sampled\n   in vit-l-0f3a"), std::string::npos) << text;
  const std::string html = render_diff_html(pair.input(), Language::kEnglish);
  EXPECT_NE(html.find("no stacks were sampled in vit-l-0f3a"), std::string::npos);
  EXPECT_EQ(html.find("<canvas"), std::string::npos);
}

TEST(DiffJson, CarriesFunctions) {
  EXPECT_TRUE(parse_json(render_diff_json(mockup_pair().input())).value()["functions"].is_null());
  const auto parsed = parse_json(render_diff_json(sampled_pair().input()));
  ASSERT_TRUE(parsed.has_value());
  const JsonValue& functions = parsed.value()["functions"];
  EXPECT_TRUE(functions["per_step"].boolean_or(false));
  EXPECT_EQ(functions["compared"].integer_or(0), 3);
  ASSERT_EQ(functions["changed"].items().size(), 2U);
  const JsonValue& fetch = functions["changed"].items()[0];
  EXPECT_EQ(fetch["name"].string_or(""), "fetch");
  EXPECT_EQ(fetch["before_ns"].integer_or(0), 2'000'000'000'000);
  EXPECT_NEAR(fetch["change_ns_per_step"].number_or(0), -1'900e9 / 8'500, 1);
  EXPECT_LT(fetch["z"].number_or(0), -50);
}

TEST(DiffJson, CarriesTheComparison) {
  const auto parsed = parse_json(render_diff_json(mockup_pair().input()));
  ASSERT_TRUE(parsed.has_value());
  const JsonValue& diff = parsed.value();
  EXPECT_EQ(diff["schema"].integer_or(0), 1);
  EXPECT_EQ(diff["outcome"].string_or(""), "faster");
  EXPECT_EQ(diff["step"]["after_ns"].integer_or(0), 194'600 * kUs);
  EXPECT_DOUBLE_EQ(diff["step"]["speedup"].number_or(0), 2.117);
  EXPECT_EQ(diff["parts"]["data_wait"]["change_ns"].integer_or(0), -222'200 * kUs);
  EXPECT_TRUE(diff["prediction"]["inside"].boolean_or(false));
  EXPECT_EQ(diff["loss"]["outcome"].string_or(""), "same");
  EXPECT_TRUE(diff["gate"].is_null());
}

TEST(DiffJson, ScoresNoPredictionThatWasNotTried) {
  Pair pair = mockup_pair();
  pair.comparison.prediction->tried = false;
  pair.comparison.prediction->notes = {{"compare.prediction.not_tried", {}}};
  const auto parsed = parse_json(render_diff_json(pair.input()));
  ASSERT_TRUE(parsed.has_value());
  const JsonValue& prediction = parsed.value()["prediction"];
  EXPECT_FALSE(prediction["tried"].boolean_or(true));
  EXPECT_TRUE(prediction["inside"].is_null());
  EXPECT_TRUE(prediction["off_ratio"].is_null());
  const std::string text = render_diff_terminal(pair.input());
  EXPECT_NE(text.find("not tried: the recordings do not show"), std::string::npos) << text;
  EXPECT_EQ(text.find("off by"), std::string::npos) << text;
}

TEST(DiffJson, WritesNullForWhatIsUnknown) {
  const auto parsed = parse_json(render_diff_json(incomparable_pair().input()));
  ASSERT_TRUE(parsed.has_value());
  EXPECT_EQ(parsed.value()["outcome"].string_or(""), "cannot-tell");
  EXPECT_TRUE(parsed.value()["step"]["before_ns"].is_null());
  EXPECT_TRUE(parsed.value()["step"]["speedup"].is_null());
  EXPECT_TRUE(parsed.value()["prediction"].is_null());
  EXPECT_EQ(parsed.value()["not_comparable"].items().size(), 1U);
}

TEST(DiffMarkdown, MatchesItsGoldenText) {
  EXPECT_EQ(golden::difference("diff.en.md",
                               render_diff_markdown(mockup_pair().input(), Language::kEnglish)),
            "");
}

TEST(DiffHtml, DrawsWhatChanged) {
  for (const Language language : kLanguages) {
    const std::string html = render_diff_html(sampled_pair().input(), language);
    const std::size_t begin = html.find("id=\"flame-data\">") + 16;
    const auto data = parse_json(html.substr(begin, html.find("</script>", begin) - begin));
    ASSERT_TRUE(data.has_value());
    const std::size_t nodes = data.value()["children"].items().size();
    ASSERT_EQ(nodes, 5U);
    EXPECT_EQ(data.value()["before"].items().size(), nodes);
    EXPECT_EQ(data.value()["change"].items().size(), nodes);
    EXPECT_EQ(data.value()["per"].integer_or(0), 8'500);
    EXPECT_EQ(data.value()["before"].items()[0].integer_or(0), 2'500'000'000);
    EXPECT_EQ(data.value()["change"].items()[0].integer_or(0), -3);
    const std::string change = data.value()["texts"]["change"].string_or("");
    for (const std::string_view name : {"{before}", "{after}", "{change}"}) {
      EXPECT_NE(change.find(name), std::string::npos) << change;
    }
    EXPECT_EQ(html.find("flame-busy\""), std::string::npos) << "only one of the runs would change";
    EXPECT_EQ(html.find("flame."), std::string::npos);
    EXPECT_NE(html.find("class=\"swatch d6\""), std::string::npos);
  }
}

TEST(DiffHtml, EscapesNamesAndFetchesNothing) {
  Pair pair = mockup_pair();
  pair.after.facts.run.name = "\"><script>alert(1)</script>";
  for (const Language language : kLanguages) {
    const std::string html = render_diff_html(pair.input(), language);
    EXPECT_EQ(html.find("<script"), std::string::npos);
    EXPECT_NE(html.find("&lt;script&gt;"), std::string::npos);
    EXPECT_NE(html.find("default-src 'none'"), std::string::npos);
    EXPECT_LT(html.size(), 400'000U);
  }
  EXPECT_FALSE(render_diff_html(incomparable_pair().input(), Language::kEnglish).empty());
}

}  // namespace
}  // namespace latido::report
