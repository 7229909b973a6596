// The comparison as Markdown: what a CI job puts into a pull request.
#include "report/diff.h"
#include "report/diff_pieces.h"
#include "report/function_change_pieces.h"
#include "report/markdown_text.h"

namespace latido::report {
namespace {

std::string functions_text(const DiffInput& diff, const Catalogue& catalogue) {
  if (!has_function_changes(diff)) return {};
  constexpr std::size_t kMost = 15;
  std::string out = "\n## " + markdown_text(catalogue.say("section.function_changes")) + "\n\n" +
                    markdown_joined(function_change_pieces(diff, catalogue), " · ") + "\n";
  std::vector<std::vector<std::string>> rows;
  for (const FunctionChangeRow& row : function_change_rows(diff, catalogue, kMost)) {
    rows.push_back({markdown_text(row.name), markdown_text(row.before), markdown_text(row.after),
                    markdown_text(row.change), markdown_text(row.place)});
  }
  if (rows.empty()) return out;
  return out + "\n" +
         markdown_table({catalogue.say("table.name"), catalogue.say("table.before"),
                         catalogue.say("table.after"), catalogue.say("table.change"),
                         catalogue.say("table.place")},
                        rows);
}

}  // namespace

std::string render_diff_markdown(const DiffInput& diff, Language language) {
  const Catalogue catalogue(language);
  std::string out = "# latido diff · " + markdown_text(diff.before.run.name) + " → " +
                    markdown_text(diff.after.run.name) + "\n\n";
  out += markdown_text(catalogue.say("diff.changed")) + " " +
         markdown_joined(diff_changes(diff, catalogue), ", ") + "\n\n";
  for (const DiffLine& line : diff_lines(diff, catalogue)) {
    out += "- **" + markdown_text(line.label) + ":** " + markdown_joined(line.pieces, " · ") + "\n";
  }
  std::vector<std::vector<std::string>> rows;
  for (const DiffRow& row : diff_rows(diff, catalogue)) {
    rows.push_back({markdown_text(row.name), markdown_text(row.before), markdown_text(row.after),
                    markdown_text(row.change)});
  }
  if (!rows.empty()) {
    for (std::string& cell : rows.back()) cell.insert(0, "**").append("**");
    out += "\n" + markdown_table({diff_unit(diff).name, catalogue.say("table.before"),
                                  catalogue.say("table.after"), catalogue.say("table.change")},
                                 rows);
  }
  out += functions_text(diff, catalogue);
  const auto gate = gate_pieces(diff, catalogue);
  if (!gate.empty()) out += "\n" + markdown_joined(gate, " · ") + "\n";
  return out;
}

}  // namespace latido::report
