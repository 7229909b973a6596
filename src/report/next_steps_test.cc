#include "report/next_steps.h"

#include <gtest/gtest.h>

#include <string>

#include "report/fixtures.h"
#include "report/html.h"
#include "report/markdown.h"
#include "report/terminal.h"

namespace latido::report {
namespace {

TEST(CheckCommand, CanBePastedAsItIs) {
  EXPECT_EQ(check_command(fixtures::mockup_run().facts), "latido diff vit-l-0f3a last");
  EXPECT_EQ(check_command(fixtures::no_steps_run().facts), "");
}

TEST(PageCommand, WritesToAFileAndNotToTheTerminal) {
  EXPECT_EQ(page_command(fixtures::mockup_run().facts.run),
            "latido report vit-l-0f3a -o vit-l-0f3a.html");
  const fixtures::Example run = fixtures::healthy_run();
  const std::string text = render_terminal(run.facts, run.diagnosis, {});
  EXPECT_NE(text.find("latido report digits-9k2d -o digits-9k2d.html"), std::string::npos) << text;
}

TEST(FunctionsHint, IsForPythonWithoutStepsAndWithoutFunctions) {
  const Catalogue catalogue(Language::kEnglish, "");
  fixtures::Example run = fixtures::no_steps_run();
  const std::string hint = functions_hint(run.facts, catalogue);
  EXPECT_TRUE(hint.ends_with(": latido run --functions adaptive --sample 100 -- python clean.py"))
      << hint;
  const std::string text = render_terminal(run.facts, run.diagnosis, {.columns = 160});
  EXPECT_NE(text.find("--functions adaptive --sample 100"), std::string::npos) << text;
  const std::string markdown = render_markdown(run.facts, run.diagnosis, Language::kEnglish, 0.01);
  EXPECT_NE(markdown.find("functions adaptive"), std::string::npos) << markdown;

  run.facts.ranks[0].functions.push_back({.name = "clean", .file = "clean.py", .line = 3});
  EXPECT_EQ(functions_hint(run.facts, catalogue), "");
  EXPECT_EQ(functions_hint(fixtures::mockup_run().facts, catalogue), "");

  fixtures::Example native = fixtures::no_steps_run();
  native.facts.run.command = {"./simulate"};
  native.facts.run.environment.python.clear();
  EXPECT_EQ(functions_hint(native.facts, catalogue), "");
}

}  // namespace
}  // namespace latido::report
