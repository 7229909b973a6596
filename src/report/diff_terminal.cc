// The comparison for a terminal.
#include <algorithm>

#include "report/diff.h"
#include "report/diff_pieces.h"
#include "report/function_change_pieces.h"
#include "report/function_pieces.h"
#include "report/screen.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

Ink outcome_ink(diagnosis::Outcome outcome) {
  if (outcome == diagnosis::Outcome::kFaster) return Ink::kGood;
  return outcome == diagnosis::Outcome::kSlower ? Ink::kBad : Ink::kStrong;
}

Ink row_ink(const DiffRow& row) {
  if (row.sign == 0) return Ink::kPlain;
  return row.sign < 0 ? Ink::kGood : Ink::kBad;
}

void put_lines(Screen& screen, const DiffInput& diff, const std::vector<DiffLine>& lines) {
  std::size_t width = 0;
  for (const DiffLine& line : lines) width = std::max(width, cell_width(line.label));
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::string head = " " + pad_right(lines[i].label, width) + "  ";
    screen.flow(head, i == 0 ? outcome_ink(diff.comparison.outcome) : Ink::kStrong, lines[i].pieces,
                "  ", cell_width(head));
  }
}

void put_table(Screen& screen, const std::vector<DiffRow>& rows, const StepUnit& unit,
               const Catalogue& catalogue) {
  if (rows.empty()) return;
  constexpr std::size_t kCells = 11;
  std::size_t name_cells = cell_width(unit.name);
  for (const DiffRow& row : rows) name_cells = std::max(name_cells, cell_width(row.name));
  screen.blank();
  screen.line("   " + pad_right(unit.name, name_cells) +
                  pad_left(catalogue.say("table.before"), kCells) +
                  pad_left(catalogue.say("table.after"), kCells) +
                  pad_left(catalogue.say("table.change"), kCells),
              Ink::kFaint);
  for (const DiffRow& row : rows) {
    screen.line("   " + pad_right(row.name, name_cells) + pad_left(row.before, kCells) +
                    pad_left(row.after, kCells) + pad_left(row.change, kCells),
                row_ink(row));
  }
}

void put_functions(Screen& screen, const DiffInput& diff, const Catalogue& catalogue) {
  if (!has_function_changes(diff)) return;
  constexpr std::size_t kMost = 10;
  screen.blank();
  screen.flow(" " + capitals(catalogue.say("section.function_changes")) + "   ", Ink::kStrong,
              function_change_pieces(diff, catalogue), "   ", 3);
  const auto rows = function_change_rows(diff, catalogue, kMost);
  std::size_t name_cells = 0;
  std::size_t cells = 9;
  for (const FunctionChangeRow& row : rows) {
    name_cells = std::max(name_cells, cell_width(printable(row.name)));
    cells =
        std::max({cells, cell_width(row.before), cell_width(row.after), cell_width(row.change)});
  }
  cells += 2;
  name_cells = std::min<std::size_t>(name_cells, screen.columns() < 70 ? 12 : 24);
  const std::size_t before_place = 3 + name_cells + 3 * cells + 2;
  const std::size_t place_cells =
      screen.columns() > before_place ? screen.columns() - before_place : 0;
  for (const FunctionChangeRow& row : rows) {
    std::string text = "   " + pad_right(cut_to(printable(row.name), name_cells), name_cells) +
                       pad_left(row.before, cells) + pad_left(row.after, cells) +
                       pad_left(row.change, cells);
    if (place_cells > 0) text += "  " + fitting_place(printable(row.place), place_cells);
    screen.line(text, row.sign < 0 ? Ink::kGood : Ink::kBad);
  }
  if (rows.size() == diff.functions.changed.size()) return;
  const auto left = static_cast<std::int64_t>(diff.functions.changed.size() - rows.size());
  screen.line("   " + catalogue.say("trust.more", {{"count", left}}), Ink::kFaint);
}

}  // namespace

std::string render_diff_terminal(const DiffInput& diff, const TerminalOptions& options) {
  const Catalogue catalogue(options.language);
  Screen screen(options.columns, options.colour);
  std::string changed = catalogue.say("diff.changed") + " ";
  for (const std::string& change : diff_changes(diff, catalogue)) {
    changed += (changed.ends_with(' ') ? "" : ", ") + change;
  }
  screen.flow(" latido diff  ", Ink::kStrong,
              {diff.before.run.name + " → " + diff.after.run.name, changed}, "      ", 3);
  screen.blank();
  put_lines(screen, diff, diff_lines(diff, catalogue));
  put_table(screen, diff_rows(diff, catalogue), diff_unit(diff), catalogue);
  put_functions(screen, diff, catalogue);
  const std::vector<std::string> gate = gate_pieces(diff, catalogue);
  if (!gate.empty()) {
    screen.blank();
    screen.flow(" ", Ink::kPlain, gate, "   ", 3);
  }
  return std::move(screen).take();
}

}  // namespace latido::report
