#include "report/html_flame_diff.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "report/flame_diff.h"
#include "report/flame_parts.h"
#include "report/function_change_pieces.h"
#include "report/html_page.h"

namespace latido::report {
namespace {

constexpr int kStrongest = 3;  // change_level()
constexpr std::size_t kMostGone = 15;
constexpr std::size_t kMostFunctions = 50;

// Of each node how it changed. Colours of all nodes are looked at together.
DrawnChanges drawn_changes(const FlameTree& drawn, const analysis::FunctionChanges& changes) {
  DrawnChanges result{.levels = {}, .steps = changes.per_step ? changes.after_steps : 0};
  result.levels.reserve(drawn.nodes.size());
  for (const FlameNode& node : drawn.nodes) {
    result.levels.push_back(change_level(node, changes, drawn.nodes.size()));
  }
  return result;
}

std::vector<LegendEntry> legend_of(const Catalogue& catalogue) {
  std::vector<LegendEntry> legend;
  for (int level = -kStrongest; level <= kStrongest; ++level) {
    const std::string id = level < 0   ? "flame.less_" + std::to_string(-level)
                           : level > 0 ? "flame.more_" + std::to_string(level)
                                       : "flame.level_0";
    legend.push_back({"d" + std::to_string(level + kStrongest), catalogue.say(id)});
  }
  return legend;
}

// "main → fit → load", the middle of a long path left out.
std::string path_text(const GonePath& path, const FlameTree& before) {
  constexpr std::size_t kMostEnds = 3;
  std::string text;
  for (std::size_t i = 0; i < path.functions.size(); ++i) {
    const bool inside = i >= kMostEnds && i + kMostEnds < path.functions.size();
    if (inside && i > kMostEnds) continue;
    text += text.empty() ? "" : " → ";
    text += inside ? "…" : flame_function_name(before.functions[path.functions[i]]);
  }
  return text;
}

void write_gone(Markup& page, const FlameDiff& flames, const DiffInput& diff,
                const Catalogue& catalogue) {
  if (flames.gone.empty()) return;
  const analysis::FunctionChanges& changes = diff.functions;
  page.element("h3", catalogue.say("flame.gone"));
  page.open("div", {{"class", "scroll"}}).open("table");
  write_head(page, {catalogue.say("table.name"), catalogue.say("table.before")});
  for (std::size_t i = 0; i < std::min(kMostGone, flames.gone.size()); ++i) {
    const GonePath& path = flames.gone[i];
    // Already scaled to the work of the run after.
    const double amount = changes.after_amount(path.before_ns);
    page.open("tr").element("th", path_text(path, flames.before), {{"scope", "row"}});
    page.element("td", changes.per_step ? catalogue.number().duration(
                                              static_cast<std::int64_t>(std::llround(amount)))
                                        : catalogue.number().percent(amount));
    page.close();
  }
  page.close().close().close();
}

}  // namespace

bool has_flame_diff(const DiffInput& diff) noexcept { return diff.functions.comparable(); }

void html_flame_diff(Markup& page, const DiffInput& diff, const Catalogue& catalogue) {
  if (!has_flame_diff(diff)) return;
  const FlameDiff flames = compare_flames(diff.before, diff.after, diff.functions);
  const FlameTree drawn = for_drawing(flames.after);
  const DrawnChanges changes = drawn_changes(drawn, diff.functions);
  open_section(page, catalogue.say("section.flame_diff"),
               catalogue.say(diff.functions.per_step ? "flame.diff_note_per_step"
                                                     : "flame.diff_note_share"));
  const std::string label = catalogue.say("flame.diff_picture");
  const std::string help = catalogue.say("flame.diff_help");
  write_flame_picture(page, catalogue,
                      {.label = label, .help = help, .legend = legend_of(catalogue)});
  write_gone(page, flames, diff, catalogue);
  write_flame_data(page, catalogue, drawn, files_of(drawn, catalogue), &changes);
  page.close();
}

void html_function_changes(Markup& page, const DiffInput& diff, const Catalogue& catalogue) {
  if (!has_function_changes(diff)) return;
  std::string note;
  for (const std::string& piece : function_change_pieces(diff, catalogue)) {
    note += (note.empty() ? "" : " · ") + piece;
  }
  open_section(page, catalogue.say("section.function_changes"), note);
  const auto rows = function_change_rows(diff, catalogue, kMostFunctions);
  if (!rows.empty()) {
    page.open("div", {{"class", "scroll"}}).open("table");
    write_head(page, {catalogue.say("table.name"), catalogue.say("table.before"),
                      catalogue.say("table.after"), catalogue.say("table.change"),
                      catalogue.say("table.place")});
    for (const FunctionChangeRow& row : rows) {
      page.open("tr").element("th", row.name, {{"scope", "row"}});
      page.element("td", row.before).element("td", row.after);
      page.element("td", row.change, {{"class", row.sign < 0 ? "better" : "worse"}});
      page.element("td", row.place).close();
    }
    page.close().close().close();
  }
  page.close();
}

}  // namespace latido::report
