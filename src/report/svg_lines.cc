#include "report/svg_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/plot_axis.h"
#include "report/svg_frame.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostPoints = 600;
constexpr std::size_t kMostColumns = 80;
constexpr std::size_t kMostRows = 20;
constexpr std::size_t kMostLines = 6;  // as many as there are dash patterns

struct Line {
  std::string name;
  std::vector<PlotPoint> points;
};

struct LinePlot {
  std::string title;
  std::string description;
  std::string x_title;
  std::vector<Line> lines;
  bool from_zero = true;
  bool binary = false;  // ticks at powers of two
  std::function<std::string(double)> x_text;
  std::function<std::string(double)> y_text;
};

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = -std::numeric_limits<double>::infinity();

  void add(double value) {
    if (!std::isfinite(value)) return;
    low = std::min(low, value);
    high = std::max(high, value);
  }
};

// A line is broken at each gap.
void draw_line(Markup& page, const Line& line, std::size_t number, const Axis& x, const Axis& y) {
  std::string points;
  const auto flush = [&] {
    if (!points.empty()) {
      page.leaf("polyline", {{"class", "line l" + std::to_string(number)}, {"points", points}});
    }
    points.clear();
  };
  for (const PlotPoint& point : decimate(line.points, kMostPoints)) {
    if (!std::isfinite(point.y)) {
      flush();
      continue;
    }
    points += coordinate(x.at(point.x) * kPlotWidth) + "," +
              coordinate((1 - y.at(point.y)) * kPlotHeight) + " ";
  }
  flush();
}

std::string value_text(const LinePlot& plot, double y) {
  return std::isfinite(y) ? plot.y_text(y) : "–";
}

void set_columns(PlotFrame& frame, const LinePlot& plot, const Axis& x) {
  std::vector<std::vector<PlotPoint>> coarse;
  for (const Line& line : plot.lines) coarse.push_back(decimate(line.points, kMostColumns));
  for (std::size_t i = 0; i < coarse.front().size(); ++i) {
    const double here = x.at(coarse.front()[i].x);
    const double before = i > 0 ? x.at(coarse.front()[i - 1].x) : 0;
    const double after = i + 1 < coarse.front().size() ? x.at(coarse.front()[i + 1].x) : 1;
    std::string text = plot.x_title + " " + plot.x_text(coarse.front()[i].x);
    for (std::size_t line = 0; line < coarse.size(); ++line) {
      if (i < coarse[line].size()) {
        text += " · " + plot.lines[line].name + " " + value_text(plot, coarse[line][i].y);
      }
    }
    frame.columns.push_back({(before + here) / 2, (here + after) / 2, std::move(text)});
  }
}

void set_table(PlotFrame& frame, const LinePlot& plot) {
  std::vector<std::vector<PlotPoint>> coarse;
  frame.table.head = {plot.x_title};
  for (const Line& line : plot.lines) {
    frame.table.head.push_back(line.name);
    coarse.push_back(decimate(line.points, kMostRows));
  }
  for (std::size_t i = 0; i < coarse.front().size(); ++i) {
    std::vector<std::string> row{plot.x_text(coarse.front()[i].x)};
    for (const auto& points : coarse) {
      row.push_back(i < points.size() ? value_text(plot, points[i].y) : "–");
    }
    frame.table.rows.push_back(std::move(row));
  }
}

void set_labels(PlotFrame& frame, const LinePlot& plot, const Axis& x, const Axis& y) {
  for (const double tick : y.ticks) frame.y_labels.push_back({y.at(tick), plot.y_text(tick)});
  constexpr std::array<double, 5> kRatios{0, 0.25, 0.5, 0.75, 1};
  for (const double ratio : kRatios) {
    frame.x_labels.push_back({ratio, plot.x_text(x.low + ratio * (x.high - x.low))});
  }
}

void write_lines(Markup& page, const LinePlot& plot, const Catalogue& catalogue) {
  Extent xs;
  Extent ys;
  if (plot.from_zero) ys.add(0);
  for (const Line& line : plot.lines) {
    for (const PlotPoint& point : line.points) {
      xs.add(point.x);
      ys.add(point.y);
    }
  }
  if (plot.lines.empty() || plot.lines.front().points.size() < 2 || !(xs.high > xs.low)) return;
  // The time axis ends where the data ends; only values get round limits.
  const Axis x{.low = xs.low, .high = xs.high, .ticks = {}};
  const Axis y = axis_for(ys.low, ys.high, 4, plot.binary);
  PlotFrame frame;
  frame.title = plot.title;
  frame.description = plot.description;
  frame.x_title = plot.x_title;
  if (plot.lines.size() > 1 || plot.lines.front().name != plot.title) {
    for (std::size_t i = 0; i < plot.lines.size(); ++i) {
      frame.legend.push_back({plot.lines[i].name, "l" + std::to_string(i)});
    }
  }
  set_labels(frame, plot, x, y);
  set_columns(frame, plot, x);
  set_table(frame, plot);
  frame.table_label = catalogue.say("chart.table");
  write_plot(page, frame, [&](Markup& picture) {
    for (std::size_t i = 0; i < plot.lines.size(); ++i) {
      draw_line(picture, plot.lines[i], i, x, y);
    }
  });
}

struct CurveGroup {
  std::string_view title;   // message id
  std::string_view suffix;  // of the metrics that belong to it
  std::string_view unit;    // parameter name that formats its values
  bool binary;
};

constexpr std::array<CurveGroup, 4> kGroups{{{"chart.cores", "cores", "cores", false},
                                             {"chart.traffic", "bytes_per_s", "bytes_per_s", false},
                                             {"chart.memory", "bytes", "bytes", true},
                                             {"chart.ratios", "ratio", "ratio", false}}};

const CurveGroup* group_of(std::string_view metric) {
  for (const CurveGroup& group : kGroups) {
    if (metric.ends_with(group.suffix)) return &group;
  }
  return nullptr;
}

Line line_of(const analysis::ResourceCurve& curve, std::int64_t origin_ns,
             const Catalogue& catalogue) {
  const auto name = catalogue.try_say("curve." + curve.metric, {});
  Line line{.name = name ? *name : curve.metric, .points = {}};
  for (std::size_t i = 0; i < std::min(curve.ts_ns.size(), curve.values.size()); ++i) {
    line.points.push_back(
        {.x = static_cast<double>(curve.ts_ns[i] - origin_ns), .y = curve.values[i]});
  }
  return line;
}

LinePlot resource_plot(const analysis::RunFacts& facts, const Catalogue& catalogue) {
  LinePlot plot;
  plot.x_title = catalogue.say("chart.time");
  const bool short_run = facts.run.wall_ns() < 120'000'000'000;
  plot.x_text = [&catalogue, short_run](double ns) {
    return short_run ? catalogue.number().fixed(ns / 1e9, 1) + "\u00A0s"
                     : catalogue.number().clock(static_cast<std::int64_t>(ns));
  };
  return plot;
}

Line loss_line(std::string name, const analysis::RankFacts& rank) {
  Line line{.name = std::move(name), .points = {}};
  for (const analysis::SeriesPoint& point : rank.loss) {
    line.points.push_back({.x = static_cast<double>(point.step + 1), .y = point.value});
  }
  return line;
}

void write_losses(Markup& page, std::vector<Line> lines, const Catalogue& catalogue) {
  const NumberFormat& number = catalogue.number();
  LinePlot plot;
  plot.title = catalogue.say("phase.loss");
  plot.description = catalogue.say("chart.loss_desc");
  plot.x_title = catalogue.say("table.step");
  plot.lines = std::move(lines);
  plot.from_zero = false;
  plot.x_text = [&number](double step) { return number.fixed(step, 0); };
  plot.y_text = [&number](double value) { return number.significant(value, 3); };
  write_lines(page, plot, catalogue);
}

}  // namespace

void write_loss_plot(Markup& page, const analysis::RankFacts& rank, const Catalogue& catalogue) {
  write_losses(page, {loss_line(catalogue.say("phase.loss"), rank)}, catalogue);
}

void write_loss_comparison(Markup& page, const NamedRank& before, const NamedRank& after,
                           const Catalogue& catalogue) {
  write_losses(page, {loss_line(before.name, before.rank), loss_line(after.name, after.rank)},
               catalogue);
}

void write_resource_plots(Markup& page, const analysis::RunFacts& facts,
                          const Catalogue& catalogue) {
  const NumberFormat& number = catalogue.number();
  for (const CurveGroup& group : kGroups) {
    LinePlot plot = resource_plot(facts, catalogue);
    plot.title = catalogue.say(group.title);
    plot.description = catalogue.say("chart.resource_desc");
    plot.binary = group.binary;
    plot.y_text = [&number, &group](double value) {
      return number.parameter(group.unit, model::ParamValue(value));
    };
    for (const analysis::ResourceCurve& curve : facts.curves) {
      if (group_of(curve.metric) == &group && plot.lines.size() < kMostLines) {
        plot.lines.push_back(line_of(curve, facts.run.start_ns, catalogue));
      }
    }
    if (!plot.lines.empty()) write_lines(page, plot, catalogue);
  }
  // A metric whose unit this version does not know has a picture of its own.
  for (const analysis::ResourceCurve& curve : facts.curves) {
    if (group_of(curve.metric) != nullptr) continue;
    LinePlot plot = resource_plot(facts, catalogue);
    plot.lines = {line_of(curve, facts.run.start_ns, catalogue)};
    plot.title = plot.lines.front().name;
    plot.description = catalogue.say("chart.resource_desc");
    plot.y_text = [&number](double value) { return number.compact(value); };
    write_lines(page, plot, catalogue);
  }
}

}  // namespace latido::report
