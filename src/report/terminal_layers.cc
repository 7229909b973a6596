// The terminal's table by layer.
#include <algorithm>

#include "report/layer_pieces.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMargin = 3;
constexpr std::size_t kTimeCells = 10;
constexpr std::size_t kShareCells = 8;
constexpr std::size_t kRateCells = 13;
constexpr std::size_t kNarrow = 60;

struct Columns {
  std::size_t name = 14;
  bool parts = false;  // forward and backward
  bool rate = false;
};

Columns columns_for(const TerminalPage& page, const std::vector<LayerRow>& rows,
                    std::size_t shown) {
  Columns columns;
  columns.parts = page.screen.columns() >= kNarrow;
  columns.rate = columns.parts && std::any_of(rows.begin(), rows.begin() + static_cast<long>(shown),
                                              [](const LayerRow& row) {
                                                return own_flops_per_s(row.layers).has_value();
                                              });
  const std::size_t taken = kMargin + kTimeCells + kShareCells +
                            (columns.parts ? 2 * kTimeCells : 0) + (columns.rate ? kRateCells : 0);
  const std::size_t room = page.screen.columns() > taken ? page.screen.columns() - taken : 0;
  std::size_t longest = cell_width(page.say("table.layer"));
  for (std::size_t i = 0; i < shown; ++i) {
    longest = std::max(longest, cell_width(printable(row_name_by_itself(rows[i]))));
  }
  columns.name = std::max<std::size_t>(std::min(longest, room), 10);
  return columns;
}

// The end of a path says more than its beginning: "…blocks.*.mlp.fc1 ×12".
std::string fitting_name(const std::string& name, std::size_t cells) {
  if (cell_width(name) <= cells) return name;
  for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1)) {
    std::string rest = "…" + name.substr(dot);
    if (cell_width(rest) <= cells) return rest;
  }
  return cut_to(name, cells);
}

void put_head(TerminalPage& page, const Columns& columns) {
  std::string line(kMargin, ' ');
  line += pad_right(cut_to(page.say("table.layer"), columns.name), columns.name);
  line += pad_left(page.say("table.own"), kTimeCells);
  line += pad_left(page.say("table.share"), kShareCells);
  if (columns.parts) {
    line += pad_left(page.say("table.forward"), kTimeCells);
    line += pad_left(page.say("table.backward"), kTimeCells);
  }
  page.screen.line(line, Ink::kFaint);
}

void put_row(TerminalPage& page, const Columns& columns, const LayerRow& row, double share) {
  const NumberFormat& number = page.catalogue.number();
  const std::string name = fitting_name(printable(row_name_by_itself(row)), columns.name);
  std::string line(kMargin, ' ');
  line += pad_right(name, columns.name);
  line += pad_left(number.duration(row.layers.self_ns()), kTimeCells);
  line += pad_left(number.percent(share), kShareCells);
  if (columns.parts) {
    line += pad_left(number.duration(row.layers.forward_self_ns), kTimeCells);
    line += pad_left(number.duration(row.layers.backward_self_ns), kTimeCells);
  }
  if (columns.rate) line += pad_left(flops_per_s_text(row.layers, page.catalogue), kRateCells);
  page.screen.line(line);
}

}  // namespace

void put_layers(TerminalPage& page, bool briefly) {
  const analysis::RankFacts* lead = lead_rank(page.facts);
  if (lead == nullptr || lead->layers.empty()) return;
  page.heading("section.layers", layer_pieces(lead->layers, page.catalogue));
  const std::string margin(kMargin, ' ');
  for (const std::string& model : model_pieces(lead->layers, page.catalogue)) {
    page.screen.paragraph(margin, Ink::kPlain, printable(model), kMargin);
  }
  const std::vector<LayerRow> rows = layer_rows(lead->layers);
  const std::size_t most = page.options.expanded ? 60 : briefly ? 6 : 12;
  const std::size_t shown = std::min(most, rows.size());
  if (shown > 0) {
    const Columns columns = columns_for(page, rows, shown);
    put_head(page, columns);
    for (std::size_t i = 0; i < shown; ++i) {
      put_row(page, columns, rows[i], own_share(lead->layers, rows[i].layers));
    }
  }
  if (shown < rows.size()) {
    const auto left = static_cast<std::int64_t>(rows.size() - shown);
    page.screen.line(margin + page.say("trust.more", {{"count", left}}), Ink::kFaint);
  }
  const auto notes = layer_notes(*lead, page.catalogue);
  if (!notes.empty()) page.screen.flow(margin, Ink::kFaint, notes, " ", kMargin);
}

}  // namespace latido::report
