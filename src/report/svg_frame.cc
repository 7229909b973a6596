#include "report/svg_frame.h"

#include <algorithm>

namespace latido::report {
namespace {

void write_legend(Markup& page, const std::vector<LegendEntry>& legend) {
  if (legend.empty()) return;
  page.open("ul", {{"class", "legend"}});
  for (const LegendEntry& entry : legend) {
    page.open("li");
    page.element("i", "", {{"class", "swatch " + entry.swatch}});
    page.text(entry.name).close();
  }
  page.close();
}

void write_y_labels(Markup& page, const std::vector<TickLabel>& labels) {
  page.open("div", {{"class", "ylabels"}, {"aria-hidden", "true"}});
  for (const TickLabel& label : labels) {
    page.element("span", label.text, {{"style", "bottom:" + coordinate(label.ratio * 100) + "%"}});
  }
  page.close();
}

// The first and last label stay inside the picture.
std::string_view x_class(double ratio) {
  if (ratio < 0.02) return "start";
  return ratio > 0.98 ? "end" : "mid";
}

void write_x_labels(Markup& page, const PlotFrame& frame) {
  page.open("div", {{"class", "xlabels"}, {"aria-hidden", "true"}});
  for (const TickLabel& label : frame.x_labels) {
    page.element("span", label.text,
                 {{"class", x_class(label.ratio)},
                  {"style", "left:" + coordinate(label.ratio * 100) + "%"}});
  }
  page.close();
  if (!frame.x_title.empty()) {
    page.element("div", frame.x_title, {{"class", "xtitle"}, {"aria-hidden", "true"}});
  }
}

void write_grid(Markup& page, const std::vector<TickLabel>& labels) {
  for (const TickLabel& label : labels) {
    const std::string y = coordinate((1 - label.ratio) * kPlotHeight);
    page.leaf(
        "line",
        {{"class", "grid"}, {"x1", "0"}, {"x2", coordinate(kPlotWidth)}, {"y1", y}, {"y2", y}});
  }
}

void write_columns(Markup& page, const std::vector<HoverColumn>& columns) {
  for (const HoverColumn& column : columns) {
    page.open("rect", {{"class", "hit"},
                       {"x", coordinate(column.left_ratio * kPlotWidth)},
                       {"y", "0"},
                       {"width", coordinate(std::max(
                                     0.5, (column.right_ratio - column.left_ratio) * kPlotWidth))},
                       {"height", coordinate(kPlotHeight)}});
    page.element("title", column.text).close();
  }
}

}  // namespace

void write_table(Markup& page, const TableText& table) {
  const auto is_text = [&](std::size_t column) {
    return table.last_is_text && column + 1 == table.head.size();
  };
  page.open("div", {{"class", "scroll"}}).open("table").open("thead").open("tr");
  for (std::size_t i = 0; i < table.head.size(); ++i) {
    page.element("th", table.head[i],
                 {{"scope", "col"}, {"class", is_text(i) ? "text" : "number"}});
  }
  page.close().close().open("tbody");
  for (const auto& row : table.rows) {
    page.open("tr");
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (i == 0) {
        page.element("th", row[i], {{"scope", "row"}});
      } else if (is_text(i)) {
        page.element("td", row[i], {{"class", "text"}});
      } else {
        page.element("td", row[i]);
      }
    }
    page.close();
  }
  page.close().close().close();
}

void write_plot(Markup& page, const PlotFrame& frame, const std::function<void(Markup&)>& draw) {
  page.open("figure", {{"class", "plot"}}).open("figcaption").element("strong", frame.title);
  if (!frame.note.empty()) page.text(" ").element("span", frame.note, {{"class", "faint"}});
  page.close();
  write_legend(page, frame.legend);
  page.open("div", {{"class", "frame"}});
  write_y_labels(page, frame.y_labels);
  page.open("svg", {{"viewBox", "0 0 " + coordinate(kPlotWidth) + " " + coordinate(kPlotHeight)},
                    {"preserveAspectRatio", "none"},
                    {"role", "img"},
                    {"aria-label", frame.title + ". " + frame.description}});
  page.element("title", frame.title).element("desc", frame.description);
  write_grid(page, frame.y_labels);
  draw(page);
  write_columns(page, frame.columns);
  page.close().close();
  write_x_labels(page, frame);
  if (!frame.table.rows.empty()) {
    page.open("details").element("summary", frame.table_label);
    write_table(page, frame.table);
    page.close();
  }
  page.close();
}

}  // namespace latido::report
