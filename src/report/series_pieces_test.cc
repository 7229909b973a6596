#include "report/series_pieces.h"

#include <gtest/gtest.h>

#include <limits>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/json_reader.h"
#include "report/fixtures.h"
#include "report/html.h"
#include "report/json.h"
#include "report/markdown.h"
#include "report/terminal.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

analysis::LoggedSeries series(std::string name, double first, double last) {
  return {.name = std::move(name),
          .count = 12,
          .not_finite = 0,
          .first = first,
          .last = last,
          .min = -3.5,
          .max = 9.25};
}

fixtures::Example run_with(std::vector<analysis::LoggedSeries> logged) {
  fixtures::Example run = fixtures::healthy_run();
  run.facts.ranks[0].series = std::move(logged);
  return run;
}

std::string joined(const fixtures::Example& run, Language language = Language::kEnglish) {
  constexpr std::string_view kNoBreak = "\u00A0";
  std::string text;
  for (const std::string& piece : series_pieces(run.facts, Catalogue(language, {}))) {
    text += (text.empty() ? "" : " · ") + piece;
  }
  while (text.find(kNoBreak) != std::string::npos) {
    text.replace(text.find(kNoBreak), kNoBreak.size(), " ");
  }
  return text;
}

TEST(SeriesPieces, SayFirstAndLastOfAtMostFourNames) {
  EXPECT_EQ(joined(run_with({})), "");
  const auto queue = series("queue_length", 3, 7);
  EXPECT_EQ(joined(run_with({queue})), "logged queue_length 3 → 7");
  auto once = series("seed", 42, 42);
  once.count = 1;
  EXPECT_EQ(joined(run_with({queue, once})), "logged queue_length 3 → 7 · seed 42");
  const auto six = run_with({queue, once, series("a", 0, kNaN), series("b", kInfinity, -kInfinity),
                             series("c", 1, 2), series("d", 1, 2)});
  EXPECT_EQ(joined(six), "logged queue_length 3 → 7 · seed 42 · a 0 → NaN · b ∞ → −∞ · and 2 more");
}

TEST(SeriesPieces, SpeakEveryLanguage) {
  fixtures::Example run = run_with(std::vector<analysis::LoggedSeries>(6, series("lr", 0.5, 0.25)));
  EXPECT_EQ(joined(run, Language::kSpanish),
            "registrado lr 0,5 → 0,25 · lr 0,5 → 0,25 · lr 0,5 → 0,25 · lr 0,5 → 0,25 · y 2 más");
  run.facts.ranks[0].series_beyond = 9;
  EXPECT_NE(joined(run, Language::kItalian).find(" · e almeno altri 3"), std::string::npos);
  EXPECT_NE(joined(run).find(" · and at least 3 more"), std::string::npos);
}

TEST(SeriesPieces, AreInEveryReportAndFitTheTerminal) {
  std::vector<analysis::LoggedSeries> many(6, series(std::string(300, 'x'), 1e-9, 123'456'789));
  many[0] = series("<b>|queue", 3, 7);
  const fixtures::Example run = run_with(many);
  for (const Language language : kLanguages) {
    std::istringstream lines(render_terminal(run.facts, run.diagnosis, {.language = language}));
    bool found = false;
    for (std::string line; std::getline(lines, line);) {
      EXPECT_LE(cell_width(line), 80U) << line;
      found = found || line.find("queue 3 → 7") != std::string::npos;
    }
    EXPECT_TRUE(found);
    const std::string markdown = render_markdown(run.facts, run.diagnosis, language, 0.01);
    EXPECT_NE(markdown.find("queue"), std::string::npos);
    EXPECT_EQ(markdown.find("<b>"), std::string::npos);
    const std::string html = render_html(run.facts, run.diagnosis, language, 0.01);
    EXPECT_NE(html.find("&lt;b&gt;|queue"), std::string::npos);
    EXPECT_EQ(html.find("<b>|queue"), std::string::npos);
  }
}

TEST(SeriesPieces, AreInJsonWithNullForWhatIsNotANumber) {
  auto odd = series("x", kNaN, kInfinity);
  odd.not_finite = 2;
  fixtures::Example run = run_with({odd});
  run.facts.ranks[0].series_beyond = 5;
  const auto report = parse_json(render_json(run.facts, run.diagnosis));
  ASSERT_TRUE(report.has_value());
  const JsonValue& rank = report.value()["ranks"].items().at(0);
  const JsonValue& got = rank["series"].items().at(0);
  EXPECT_EQ(got["name"].string_or(""), "x");
  EXPECT_EQ(got["count"].integer_or(0), 12);
  EXPECT_EQ(got["not_finite"].integer_or(0), 2);
  EXPECT_TRUE(got["first"].is_null());
  EXPECT_TRUE(got["last"].is_null());
  EXPECT_DOUBLE_EQ(got["min"].number_or(0), -3.5);
  EXPECT_DOUBLE_EQ(got["max"].number_or(0), 9.25);
  EXPECT_EQ(rank["series_beyond"].integer_or(0), 5);
}

}  // namespace
}  // namespace latido::report
