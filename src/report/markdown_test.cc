#include "report/markdown.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "report/fixtures.h"
#include "report/golden.h"
#include "report/markdown_text.h"

namespace latido::report {
namespace {

std::string render(const fixtures::Example& run, Language language = Language::kEnglish) {
  return render_markdown(run.facts, run.diagnosis, language);
}

TEST(MarkdownReport, MatchesItsGoldenTextInEveryLanguage) {
  for (const Language language : kLanguages) {
    const std::string file = "mockup." + std::string(to_text(language)) + ".md";
    EXPECT_EQ(golden::difference(file, render(fixtures::mockup_run(), language)), "");
  }
  EXPECT_EQ(golden::difference("no_steps.en.md", render(fixtures::no_steps_run())), "");
}

TEST(MarkdownReport, EndsWithTrustUnlessItIsDamaged) {
  EXPECT_TRUE(render(fixtures::mockup_run()).ends_with("nothing left this machine\n"));
  const std::string damaged = render(fixtures::killed_run());
  EXPECT_LT(damaged.find("## Trust"), damaged.find("**UNTIL IT WAS KILLED: HEALTHY.**"));
}

TEST(MarkdownReport, LetsNoNameBecomeMarkup) {
  const std::string text = render(fixtures::hostile_run());
  EXPECT_EQ(text.find("<script"), std::string::npos);
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("&lt;script&gt;"), std::string::npos);
}

TEST(MarkdownText, EscapesWhatCouldBeMarkup) {
  EXPECT_EQ(markdown_text("a|b*c_[x](y) <b>&"), "a\\|b\\*c\\_\\[x\\](y) &lt;b&gt;&amp;");
  EXPECT_EQ(markdown_text("one\ntwo"), "one two");
  EXPECT_EQ(markdown_code("a`b|c"), "`a'b/c`");
}

}  // namespace
}  // namespace latido::report
