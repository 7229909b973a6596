// Tables of lines and the list of functions, in every format.
#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "report/fixtures.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/terminal.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::int64_t kS = 1'000'000'000;
constexpr std::string_view kSource = "batch = [decode(p) | q for p in <paths>]\x1b";

fixtures::Example sampled_run() {
  fixtures::Example run = fixtures::no_steps_run();
  analysis::LineTime line;
  line.function = "load";
  line.file = run.facts.run.folder + "/clean.py";
  line.line = 31;
  line.self_ns = 7 * kS;
  line.total_ns = 8 * kS;
  run.facts.ranks[0].lines = {line};
  line.line = 32;
  line.self_ns = 0;
  run.facts.ranks[0].lines.push_back(line);
  return run;
}

std::string terminal(const fixtures::Example& run, const TerminalOptions& options = {}) {
  return render_terminal(run.facts, run.diagnosis, options);
}

std::string html(const fixtures::Example& run, Language language = Language::kEnglish) {
  return render_html(run.facts, run.diagnosis, language);
}

std::string markdown(const fixtures::Example& run, Language language = Language::kEnglish) {
  return render_markdown(run.facts, run.diagnosis, language);
}

JsonValue json(const fixtures::Example& run) {
  auto value = parse_json(render_json(run.facts, run.diagnosis));
  EXPECT_TRUE(value.has_value());
  return value.has_value() ? std::move(value).value() : JsonValue();
}

void expect_fits(const fixtures::Example& run) {
  for (const Language language : kLanguages) {
    for (std::size_t columns = 40; columns <= 120; columns += 9) {
      std::istringstream lines(terminal(run, {.columns = columns, .language = language}));
      for (std::string line; std::getline(lines, line);) {
        ASSERT_LE(cell_width(line), columns) << line;
      }
    }
  }
}

TEST(Lines, AreShownByPlaceWithTheirFunction) {
  const fixtures::Example run = sampled_run();
  const std::string text = terminal(run);
  EXPECT_NE(text.find("WHERE THE TIME GOES: LINES"), std::string::npos) << text;
  EXPECT_NE(text.find("clean.py:31     7.0"), std::string::npos) << text;
  EXPECT_NE(text.find("load"), std::string::npos) << text;
  EXPECT_EQ(text.find("clean.py:32"), std::string::npos) << "it took no time itself";
  EXPECT_NE(html(run).find("clean.py:32"), std::string::npos);
  EXPECT_NE(markdown(run).find("| clean.py:31 | 7.0"), std::string::npos) << markdown(run);
  const JsonValue line = json(run)["ranks"].items()[0]["lines"].items()[0];
  EXPECT_EQ(line["line"].integer_or(0), 31);
  EXPECT_EQ(line["sampled_self_ns"].integer_or(0), 7 * kS);
  EXPECT_TRUE(line["source"].is_null());
  expect_fits(run);
}

TEST(Lines, ShowTheirTextWhereItIsKnown) {
  fixtures::Example run = sampled_run();
  run.facts.ranks[0].lines[0].source = kSource;
  EXPECT_NE(terminal(run).find("batch = [decode(p)"), std::string::npos);
  EXPECT_EQ(terminal(run).find('\x1b'), std::string::npos);
  EXPECT_NE(html(run).find("<code>batch = [decode(p) | q for p in &lt;paths&gt;]"),
            std::string::npos);
  EXPECT_EQ(markdown(run).find("<paths>"), std::string::npos);
  EXPECT_EQ(json(run)["ranks"].items()[0]["lines"].items()[0]["source"].string_or(""), kSource);
  expect_fits(run);
}

TEST(Lines, AreNotShownWithoutSamples) {
  const fixtures::Example run = fixtures::no_steps_run();
  EXPECT_EQ(terminal(run).find("LINES"), std::string::npos);
  EXPECT_EQ(markdown(run).find("lines"), std::string::npos);
  EXPECT_TRUE(json(run)["ranks"].items()[0]["lines"].items().empty());
}

fixtures::Example listed_run() {
  fixtures::Example run = fixtures::no_steps_run();
  run.facts.ranks[0].function_counts = {.recorded = 2, .elided = 1, .excluded = 1};
  const auto add = [&](const char* name, std::uint64_t calls, analysis::FunctionState state) {
    analysis::ListedFunction function;
    function.name = name;
    function.file = "lib.py";
    function.line = 3;
    function.calls = calls;
    function.state = state;
    run.facts.function_list.push_back(function);
  };
  add("fit", 1'200, analysis::FunctionState::kRecorded);
  add("tiny</td>", 256, analysis::FunctionState::kElided);
  add("helper", 0, analysis::FunctionState::kExcluded);
  return run;
}

TEST(FunctionList, SaysWhatBecameOfEach) {
  const fixtures::Example run = listed_run();
  const std::string text = terminal(run);
  for (const std::string_view part : {"FUNCTIONS THAT RAN", "1 recorded", "1 elided: called so",
                                      "1 excluded by --include and --exclude", "1,200"}) {
    EXPECT_NE(text.find(part), std::string::npos) << part << "\n" << text;
  }
  EXPECT_NE(html(run).find("tiny&lt;/td&gt;"), std::string::npos);
  const JsonValue list = json(run)["function_list"];
  ASSERT_EQ(list.items().size(), 3U);
  EXPECT_EQ(list.items()[2]["state"].string_or(""), "excluded");
  expect_fits(run);
}

TEST(FunctionList, IsNullWhereNobodyAskedForIt) {
  EXPECT_TRUE(json(fixtures::no_steps_run())["function_list"].is_null());
}

TEST(Functions, SayWhenThePatternsLeftOutAll) {
  fixtures::Example run = fixtures::no_steps_run();
  run.facts.ranks[0].functions.clear();
  run.facts.ranks[0].function_counts = {.excluded = 57};
  for (const std::string& text : {terminal(run), html(run), markdown(run)}) {
    EXPECT_NE(text.find("none was recorded: the 57 that ran do not match"), std::string::npos)
        << text;
  }
  EXPECT_EQ(json(run)["ranks"].items()[0]["functions_excluded"].integer_or(0), 57);
  expect_fits(run);
}

}  // namespace
}  // namespace latido::report
