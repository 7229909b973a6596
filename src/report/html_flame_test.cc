#include "report/html_flame.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "base/json_reader.h"
#include "report/call_tree_fixture.h"
#include "report/flame_script.h"
#include "report/html_page.h"

namespace latido::report {
namespace {

using fixtures::CallTreeBuilder;

std::string section(const model::CallTree& tree, Language language = Language::kEnglish) {
  const analysis::RunFacts facts;
  const model::Diagnosis diagnosis;
  HtmlReport report{.facts = facts,
                    .diagnosis = diagnosis,
                    .catalogue = Catalogue(language, "/home/you"),
                    .overhead_budget_ratio = 0.01,
                    .page = {}};
  html_flame(report, tree);
  return std::move(report.page).take();
}

std::string text_between(const std::string& html, std::string_view from, std::string_view to) {
  const std::size_t start = html.find(from);
  if (start == std::string::npos) return "";
  const std::size_t begin = start + from.size();
  return html.substr(begin, html.find(to, begin) - begin);
}

JsonValue data_of(const std::string& html) {
  auto value = parse_json(text_between(html, "id=\"flame-data\">", "</script>"));
  EXPECT_TRUE(value.has_value());
  return value.has_value() ? std::move(value).value() : JsonValue();
}

TEST(HtmlFlame, WritesTheTreeForTheScript) {
  CallTreeBuilder tree;
  tree.busy({"main@4", "fit@9"}, 3'000'000).busy({"main@5"}, 1'000'000);
  const std::string html = section(tree.tree);
  const JsonValue data = data_of(html);
  ASSERT_EQ(data["children"].items().size(), 3U);
  EXPECT_EQ(data["children"].items()[1].integer_or(-1), 1);
  EXPECT_EQ(data["function"].items()[0].integer_or(0), -1);
  EXPECT_EQ(data["function"].items()[2].integer_or(-1), 0);
  EXPECT_EQ(data["functions"].items()[0].items()[0].string_or(""), "fit");
  EXPECT_EQ(data["files"].items()[0].string_or(""), "train.py");
  EXPECT_EQ(data["line"].items()[1].integer_or(0), 4);
  EXPECT_EQ(data["self"].items()[2].integer_or(0), 3'000);
  for (const std::string_view id :
       {"flame", "flame-data", "flame-view", "flame-canvas", "flame-spacer", "flame-search",
        "flame-reset", "flame-line", "flame-matches"}) {
    EXPECT_NE(html.find("id=\"" + std::string(id) + "\""), std::string::npos) << id;
    EXPECT_TRUE(id == "flame-data" || id == "flame" ||
                kFlameScript.find("'" + std::string(id) + "'") != std::string_view::npos)
        << id;
  }
}

TEST(HtmlFlame, OffersBusyTimeOnlyWhereSomethingWaited) {
  CallTreeBuilder tree;
  tree.busy({"main"}, 3'000'000);
  EXPECT_EQ(section(tree.tree).find("id=\"flame-busy\""), std::string::npos);
  tree.idle({"main", "wait"}, 2'000'000, true);
  const std::string html = section(tree.tree);
  EXPECT_NE(html.find("id=\"flame-busy\""), std::string::npos);
  EXPECT_EQ(data_of(html)["idle"].items()[2].integer_or(0), 2'000);
  EXPECT_EQ(data_of(html)["self"].items()[2].integer_or(0), 2'000);
}

TEST(HtmlFlame, HasATableForThoseWhoSeeNoPicture) {
  CallTreeBuilder tree;
  for (int i = 0; i < 40; ++i) {
    tree.busy({"main", "f" + std::to_string(i)}, (100 + i) * 1'000'000);
  }
  const std::string table = text_between(section(tree.tree), "<details", "</details>");
  EXPECT_NE(table.find("<th scope=\"row\">f39</th><td>139\u00A0ms</td><td>2.9\u00A0%</td>"),
            std::string::npos)
      << table;
  EXPECT_EQ(table.find("f9<"), std::string::npos);
}

TEST(HtmlFlame, LetsNoNameBecomeMarkup) {
  model::CallTree tree;
  tree.frames.push_back({"</script><script>alert(1)</script>", "/home/you/<!--.py", 1});
  tree.nodes.push_back({.parent = 0, .frame = 0, .line = 1});
  tree.times.push_back({.node = 1, .main_thread = true, .busy_ns = 1'000'000});
  const std::string html = section(tree);
  EXPECT_EQ(html.find("<script>alert"), std::string::npos);
  EXPECT_EQ(html.find("<!--"), std::string::npos);
  EXPECT_EQ(data_of(html)["functions"].items()[0].items()[0].string_or(""),
            tree.frames[0].function);
  EXPECT_EQ(data_of(html)["files"].items()[0].string_or(""), "<!--.py");
}

TEST(HtmlFlame, SpeaksEveryLanguageAndLeavesTheScriptItsPlaceholders) {
  CallTreeBuilder tree;
  tree.busy({"main"}, 3'000'000);
  for (const Language language : kLanguages) {
    const std::string html = section(tree.tree, language);
    const JsonValue data = data_of(html);
    EXPECT_EQ(data["lang"].string_or(""), to_text(language));
    const std::string times = data["texts"]["times"].string_or("");
    for (const std::string_view name : {"{own}", "{own_share}", "{total}", "{total_share}"}) {
      EXPECT_NE(times.find(name), std::string::npos) << times;
    }
    EXPECT_NE(data["texts"]["matches"].string_or("").find("{share}"), std::string::npos);
    EXPECT_NE(data["texts"]["line"].string_or("").find("{line}"), std::string::npos);
    EXPECT_EQ(html.find("flame."), std::string::npos) << to_text(language);
  }
}

TEST(HtmlFlame, WritesNothingWithoutTime) {
  CallTreeBuilder tree;
  EXPECT_EQ(section(tree.tree), "");
  tree.idle({"pool"}, 5, false);
  EXPECT_FALSE(has_flame(tree.tree));
  EXPECT_EQ(section(tree.tree), "");
}

TEST(HtmlFlame, KeepsThePageOfALargeTreeUnderAMegabyte) {
  CallTreeBuilder tree;
  model::CallTree& all = tree.tree;
  for (std::uint32_t i = 0; i < 3'000; ++i) {
    all.frames.push_back({"package.module.function_" + std::to_string(i), "module.py", i});
  }
  for (std::uint32_t i = 1; i < 100'000; ++i) {
    all.nodes.push_back({.parent = i / 3, .frame = i % 3'000, .line = i % 900});
    all.times.push_back({.node = i, .main_thread = true, .busy_ns = 10'000'000});
  }
  const std::string html = section(all);
  EXPECT_LE(data_of(html)["children"].items().size(), 20'000U);
  EXPECT_LT(html.size(), 1'000'000U);
}

TEST(FlameScript, HoldsNoMarkup) {
  EXPECT_EQ(kFlameScript.find('<'), std::string_view::npos);
  EXPECT_EQ(kFlameScript.find('\r'), std::string_view::npos);
}

TEST(HtmlPage, AllowsTheScriptOnlyWhereAFlameGraphIs) {
  for (const PageScript script : {PageScript::kNone, PageScript::kFlame}) {
    Markup page;
    open_html_page(page, "t", Language::kEnglish, script);
    close_html_page(page);
    const std::string html = std::move(page).take();
    const std::string policy = text_between(html, "Content-Security-Policy\" content=\"", "\"");
    const std::string allowed = " script-src '" + std::string(kFlameScriptHash) + "';";
    EXPECT_EQ(policy, "default-src 'none';" + (script == PageScript::kFlame ? allowed : "") +
                          " style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'");
    EXPECT_EQ(html.find("--f0") != std::string::npos, script == PageScript::kFlame);
  }
}

}  // namespace
}  // namespace latido::report
