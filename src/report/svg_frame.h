// The frame that every plot stands in: caption, legend, axis labels, picture, and the same as a table.
//
// The picture is an SVG that stretches with the page; the labels are HTML beside it, because letters
// inside a stretched SVG would be as small on a telephone as the picture. Pure.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "report/markup.h"
#include "report/plot_axis.h"

namespace latido::report {

// Coordinates inside the picture.
inline constexpr double kPlotWidth = 1000;
inline constexpr double kPlotHeight = 300;

struct LegendEntry {
  std::string name;
  std::string swatch;  // CSS class of its colour, one of ours
};

struct TickLabel {
  double ratio;  // along the axis
  std::string text;
};

// A column of the picture that says its values when pointed at.
struct HoverColumn {
  double left_ratio;
  double right_ratio;
  std::string text;
};

struct TableText {
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
  bool last_is_text = false;  // then the last column stands left and may take several lines
};

struct PlotFrame {
  std::string title;
  std::string description;  // for those who do not see the picture
  std::string note;         // beside the title
  std::vector<LegendEntry> legend;
  std::vector<TickLabel> y_labels;
  std::vector<TickLabel> x_labels;
  std::string x_title;
  std::vector<HoverColumn> columns;
  TableText table;
  std::string table_label;  // "show as table"
};

// `draw` writes the shapes; the frame draws grid and hover columns around them.
void write_plot(Markup& page, const PlotFrame& frame, const std::function<void(Markup&)>& draw);

// An HTML table with its head; numbers stand right, the first column left.
void write_table(Markup& page, const TableText& table);

}  // namespace latido::report
