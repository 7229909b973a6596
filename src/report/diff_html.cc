// The comparison as a self-contained HTML page: the same frame and rules as the report's (html.h).
#include <algorithm>

#include "report/diff.h"
#include "report/diff_pieces.h"
#include "report/html_flame_diff.h"
#include "report/html_page.h"
#include "report/run_summary.h"
#include "report/svg_bars.h"
#include "report/svg_lines.h"
#include "report/svg_step_stack.h"

namespace latido::report {
namespace {

struct OutcomeLook {
  std::string_view css_class;
  std::string_view sign;  // the shape repeats what the colour says
};

OutcomeLook look_of(diagnosis::Outcome outcome) {
  switch (outcome) {
    case diagnosis::Outcome::kFaster:
      return {"card verdict good", "✓ "};
    case diagnosis::Outcome::kSlower:
      return {"card verdict bad", "▲ "};
    case diagnosis::Outcome::kSame:
      return {"card verdict", "= "};
    case diagnosis::Outcome::kCannotTell:
      break;
  }
  return {"card verdict", "? "};
}

std::string_view row_class(const DiffRow& row) {
  if (row.sign == 0) return "same";
  return row.sign < 0 ? "better" : "worse";
}

void write_verdict(Markup& page, const DiffInput& diff, const Catalogue& catalogue) {
  const OutcomeLook look = look_of(diff.comparison.outcome);
  const std::vector<DiffLine> lines = diff_lines(diff, catalogue);
  page.open("div", {{"class", look.css_class}}).open("h2");
  page.element("span", std::string(look.sign) + lines.front().label, {{"class", "name"}});
  page.close();
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i == 1) page.open("dl");
    if (i > 0) page.element("dt", lines[i].label).open("dd");
    if (i == 0) page.open("p");
    for (std::size_t n = 0; n < lines[i].pieces.size(); ++n) {
      page.text((n > 0 ? " · " : "") + lines[i].pieces[n]);
    }
    page.close();
  }
  if (lines.size() > 1) page.close();
  const auto gate = gate_pieces(diff, catalogue);
  if (!gate.empty()) page.element("p", gate.front(), {{"class", "faint"}});
  page.close();
}

// Both steps on the scale of the slower one.
void write_side_bar(Markup& page, const DiffInput& diff, bool after, const Catalogue& catalogue) {
  const diagnosis::Comparison& got = diff.comparison;
  const double whole =
      static_cast<double>(std::max({got.before_step_ns, got.after_step_ns, std::int64_t{1}}));
  std::vector<BarPart> parts;
  for (std::size_t i = 0; i < model::kPhaseCount; ++i) {
    const std::int64_t ns = after ? got.phases[i].after_ns : got.phases[i].before_ns;
    if (ns < 0) continue;
    parts.push_back(
        {.text = catalogue.say("phase." + std::string(model::to_text(model::kPhases[i]))) + ": " +
                 catalogue.number().duration(ns),
         .css_class = "p" + std::to_string(i),
         .ratio = static_cast<double>(ns) / whole});
  }
  const std::string name = after ? diff.after.run.name : diff.before.run.name;
  page.element("div", catalogue.say(after ? "table.after" : "table.before") + " · " + name,
               {{"class", "faint"}});
  write_split_bar(page, name, parts);
}

void write_table_of(Markup& page, const DiffInput& diff, const Catalogue& catalogue) {
  const std::vector<DiffRow> rows = diff_rows(diff, catalogue);
  if (rows.empty()) return;
  open_section(page, catalogue.say(diff.comparison.whole ? "section.zones" : "section.step"));
  if (!diff.comparison.whole) {
    write_side_bar(page, diff, false, catalogue);
    write_side_bar(page, diff, true, catalogue);
  }
  page.open("table").open("thead").open("tr");
  for (const std::string& head : {diff_unit(diff).name, catalogue.say("table.before"),
                                  catalogue.say("table.after"), catalogue.say("table.change")}) {
    page.element("th", head, {{"scope", "col"}});
  }
  page.close().close().open("tbody");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    page.open("tr", {{"class", i + 1 == rows.size() ? "sum" : "phase"}});
    page.element("th", rows[i].name, {{"scope", "row"}});
    page.element("td", rows[i].before).element("td", rows[i].after);
    page.element("td", rows[i].change, {{"class", row_class(rows[i])}}).close();
  }
  page.close().close().close();
}

void write_pictures(Markup& page, const DiffInput& diff, const Catalogue& catalogue) {
  const analysis::RankFacts* before = lead_rank(diff.before);
  const analysis::RankFacts* after = lead_rank(diff.after);
  if (before == nullptr || after == nullptr) return;
  if (before->loss.size() > 1 && after->loss.size() > 1) {
    open_section(page, catalogue.say("section.over_steps"),
                 diff.before.run.name + " · " + diff.after.run.name);
    write_loss_comparison(page, {.name = diff.before.run.name, .rank = *before},
                          {.name = diff.after.run.name, .rank = *after}, catalogue);
    page.close();
  }
  // One scale for both, or the faster run would look as slow as the other.
  const auto slower_ns = static_cast<double>(std::max(before->stats.mean_ns, after->stats.mean_ns));
  for (const analysis::RunFacts* facts : {&diff.before, &diff.after}) {
    const analysis::RankFacts* rank = lead_rank(*facts);
    if (rank->steps.size() < 2) continue;
    open_section(page, catalogue.say("section.over_steps"), facts->run.name);
    write_step_stack(page, *rank, catalogue, slower_ns);
    page.close();
  }
}

}  // namespace

std::string render_diff_html(const DiffInput& diff, Language language) {
  const Catalogue catalogue(language);
  Markup page;
  const std::string names = diff.before.run.name + " → " + diff.after.run.name;
  open_html_page(page, "latido diff · " + names, language,
                 has_flame_diff(diff) ? PageScript::kFlame : PageScript::kNone);
  page.open("header", {{"class", "top"}}).element("span", "latido diff", {{"class", "brand"}});
  page.element("h1", names);
  std::vector<std::string> changes = diff_changes(diff, catalogue);
  changes.insert(changes.begin(), catalogue.say("diff.changed"));
  write_pieces(page, changes);
  page.close();
  write_verdict(page, diff, catalogue);
  write_table_of(page, diff, catalogue);
  write_pictures(page, diff, catalogue);
  html_function_changes(page, diff, catalogue);
  html_flame_diff(page, diff, catalogue);
  page.element("footer", catalogue.say("trust.local"));
  close_html_page(page);
  return std::move(page).take();
}

}  // namespace latido::report
