#include "report/html.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "report/fixtures.h"

namespace latido::report {
namespace {

std::string render(const fixtures::Example& run, Language language = Language::kEnglish) {
  return render_html(run.facts, run.diagnosis, language);
}

std::vector<std::string> tags_of(const std::string& html) {
  std::vector<std::string> tags;
  for (std::size_t at = html.find('<'); at != std::string::npos; at = html.find('<', at + 1)) {
    const std::size_t end = html.find('>', at);
    if (end == std::string::npos) break;
    tags.push_back(html.substr(at, end - at + 1));
  }
  return tags;
}

// What is wrong with the nesting of the tags; empty when each is closed where it should be.
std::string nesting_fault(const std::string& html) {
  std::vector<std::string> open;
  for (const std::string& tag : tags_of(html)) {
    if (tag.starts_with("<!") || tag.starts_with("<meta") || tag.ends_with("/>")) continue;
    if (!tag.starts_with("</")) {
      open.push_back(tag.substr(1, tag.find_first_of(" >") - 1));
    } else if (open.empty() || open.back() != tag.substr(2, tag.size() - 3)) {
      return tag + " closes " + (open.empty() ? "nothing" : open.back());
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : open.back() + " stays open";
}

std::vector<fixtures::Example> all_examples() {
  return {fixtures::mockup_run(),  fixtures::healthy_run(), fixtures::no_steps_run(),
          fixtures::died_run(),    fixtures::killed_run(),  fixtures::warming_up_run(),
          fixtures::hostile_run(), fixtures::Example{}};
}

TEST(HtmlReport, NestsItsTags) {
  for (const fixtures::Example& run : all_examples()) {
    EXPECT_EQ(nesting_fault(render(run)), "") << run.facts.run.name;
  }
}

TEST(HtmlReport, FetchesNothingAndForbidsIt) {
  for (const fixtures::Example& run : all_examples()) {
    const std::string html = render(run);
    EXPECT_NE(html.find("Content-Security-Policy\" content=\"default-src 'none'"),
              std::string::npos);
    for (const std::string_view outside : {"<script", "<link", "<img", "<iframe", "@import", "url(",
                                           "src=", "href=", "http://", "https://"}) {
      EXPECT_EQ(html.find(outside), std::string::npos) << outside << " " << run.facts.run.name;
    }
  }
}

TEST(HtmlReport, LetsNoNameBecomeMarkup) {
  for (const Language language : kLanguages) {
    const std::string html = render(fixtures::hostile_run(), language);
    EXPECT_NE(html.find("&lt;script&gt;alert(1)&lt;/script&gt;"), std::string::npos);
    for (const std::string& tag : tags_of(html)) {
      const std::string_view name =
          std::string_view(tag).substr(1, tag.find_first_of(" />", 1) - 1);
      EXPECT_NE(name, "script") << tag;
      // An attribute that a quote in a name let out would stand outside the quotes.
      bool quoted = false;
      std::string outside;
      for (const char c : tag) {
        if (c == '"')
          quoted = !quoted;
        else if (!quoted)
          outside += c;
      }
      EXPECT_EQ(outside.find("onload"), std::string::npos) << tag;
      EXPECT_EQ(outside.find("alert"), std::string::npos) << tag;
    }
    EXPECT_EQ(html.find('\x1b'), std::string::npos);
    EXPECT_EQ(html.find("\u202E"), std::string::npos);
  }
}

TEST(HtmlReport, StaysSmallWithLongRuns) {
  const std::string html = render(fixtures::mockup_run());
  EXPECT_LT(html.size(), 400'000U);
  for (const std::string& tag : tags_of(html)) {
    const bool curve = tag.starts_with("<polyline");
    const bool area = tag.starts_with("<polygon");
    if (!curve && !area) continue;
    const auto points = std::ranges::count(tag, ',');
    EXPECT_LE(points, curve ? 600 : 2 * 600) << tag.substr(0, 60);
  }
}

TEST(HtmlReport, DescribesEveryPictureInWords) {
  const std::string html = render(fixtures::mockup_run());
  for (std::size_t at = html.find("<svg"); at != std::string::npos;
       at = html.find("<svg", at + 1)) {
    const std::string tag = html.substr(at, html.find('>', at) - at);
    const bool described = tag.find("role=\"img\"") != std::string::npos &&
                           tag.find("aria-label=\"") != std::string::npos;
    EXPECT_TRUE(described || tag.find("aria-hidden=\"true\"") != std::string::npos) << tag;
  }
  EXPECT_NE(html.find("<desc>"), std::string::npos);
  EXPECT_NE(html.find("<details><summary>as a table"), std::string::npos);
}

TEST(HtmlReport, SpeaksEveryLanguage) {
  struct Case {
    Language language;
    std::string_view lang;
    std::string_view text;
  };
  const std::vector<Case> cases{
      {Language::kEnglish, "lang=\"en\"", "Where a step goes"},
      {Language::kSpanish, "lang=\"es\"", "En qué se va cada paso"},
      {Language::kItalian, "lang=\"it\"", "Dove va il tempo di un passo"}};
  for (const Case& c : cases) {
    const std::string html = render(fixtures::mockup_run(), c.language);
    EXPECT_NE(html.find(c.lang), std::string::npos);
    EXPECT_NE(html.find(c.text), std::string::npos) << c.text;
  }
}

TEST(HtmlReport, PutsVerdictBeforeEvidenceBeforeTablesAndTrustLast) {
  const std::string html = render(fixtures::mockup_run());
  std::size_t before = 0;
  for (const std::string_view part : {"INPUT-BOUND", "Evidence", "Where a step goes", "Step time",
                                      "Cores busy</strong>", "nothing left this machine"}) {
    const std::size_t at = html.find(part, before);
    EXPECT_NE(at, std::string::npos) << part;
    before = at == std::string::npos ? before : at;
  }
  const std::string damaged = render(fixtures::killed_run());
  EXPECT_LT(damaged.find("1,204 dropped"), damaged.find("UNTIL IT WAS KILLED: HEALTHY"));
  EXPECT_EQ(damaged.find("card verdict good"), std::string::npos);
  EXPECT_NE(damaged.find("KILLED by SIGKILL"), std::string::npos);
}

}  // namespace
}  // namespace latido::report
