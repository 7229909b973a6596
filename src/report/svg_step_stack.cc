#include "report/svg_step_stack.h"

#include <algorithm>
#include <cmath>
#include <span>
#include <string>
#include <vector>

#include "report/plot_axis.h"
#include "report/report_pieces.h"
#include "report/svg_frame.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostBuckets = 300;
constexpr std::size_t kMostColumns = 100;  // that can be pointed at
constexpr std::size_t kMostRows = 20;      // of the table

struct StackPlot {
  const Catalogue& catalogue;
  std::vector<StepBucket> buckets;
  StepUnit unit;
  Axis axis;  // in `unit`
  double last_step;

  double x_ratio(const StepBucket& bucket) const {
    const double middle =
        static_cast<double>(bucket.first_step) + static_cast<double>(bucket.steps) / 2 - 1;
    return std::clamp(middle / last_step, 0.0, 1.0);
  }
  double y_of(double ns) const { return (1 - axis.at(ns / unit.size_ns)) * kPlotHeight; }
  std::string time(double ns) const {
    return catalogue.number().fixed(ns / unit.size_ns, unit.decimals) + "\u00A0" + unit.name;
  }
};

std::string point(double x_ratio, double y) {
  return coordinate(x_ratio * kPlotWidth) + "," + coordinate(y) + " ";
}

// The upper edge of everything below phase `p`, in each bucket.
std::vector<double> sums_below(const StackPlot& plot, std::size_t p) {
  std::vector<double> sums;
  for (const StepBucket& bucket : plot.buckets) {
    double sum = 0;
    for (std::size_t i = 0; i < p; ++i) sum += bucket.mean_ns[i];
    sums.push_back(sum);
  }
  return sums;
}

void draw_layer(Markup& page, const StackPlot& plot, std::size_t p) {
  const std::vector<double> low = sums_below(plot, p);
  const std::vector<double> high = sums_below(plot, p + 1);
  if (low == high) return;
  // The area reaches both edges of the picture although a bucket stands at its middle.
  std::string points = point(0, plot.y_of(high.front()));
  for (std::size_t i = 0; i < high.size(); ++i) {
    points += point(plot.x_ratio(plot.buckets[i]), plot.y_of(high[i]));
  }
  points += point(1, plot.y_of(high.back())) + point(1, plot.y_of(low.back()));
  for (std::size_t i = low.size(); i-- > 0;) {
    points += point(plot.x_ratio(plot.buckets[i]), plot.y_of(low[i]));
  }
  points += point(0, plot.y_of(low.front()));
  page.leaf("polygon", {{"class", "area p" + std::to_string(p)}, {"points", points}});
}

void draw_slowest(Markup& page, const StackPlot& plot) {
  std::string points;
  for (const StepBucket& bucket : plot.buckets) {
    points += point(plot.x_ratio(bucket), plot.y_of(bucket.slowest_ns));
  }
  page.leaf("polyline", {{"class", "line slowest"}, {"points", points}});
}

std::string steps_text(const StackPlot& plot, const StepBucket& bucket) {
  const auto first = static_cast<std::int64_t>(bucket.first_step);
  const auto last = first + static_cast<std::int64_t>(bucket.steps) - 1;
  const NumberFormat& number = plot.catalogue.number();
  return last > first ? number.integer(first) + "–" + number.integer(last) : number.integer(first);
}

std::string column_text(const StackPlot& plot, const StepBucket& bucket) {
  std::string text = plot.catalogue.say("table.step") + " " + steps_text(plot, bucket) + ": " +
                     plot.time(bucket.wall_ns);
  for (const model::Phase phase : model::kPhases) {
    const double ns = bucket.mean_ns[static_cast<std::size_t>(phase)];
    if (ns < bucket.wall_ns / 100) continue;
    text += " · " + plot.catalogue.say("phase." + std::string(model::to_text(phase))) + " " +
            plot.time(ns);
  }
  if (bucket.steps > 1) {
    text += " · " + plot.catalogue.say("chart.slowest") + " " + plot.time(bucket.slowest_ns);
  }
  return text;
}

TableText table_of(const StackPlot& plot, std::span<const model::Step> steps,
                   std::uint64_t stride) {
  const Catalogue& catalogue = plot.catalogue;
  TableText table;
  table.head = {catalogue.say("table.step"),
                catalogue.say("table.mean") + " (" + plot.unit.name + ")"};
  for (const model::Phase phase : model::kPhases) {
    table.head.push_back(catalogue.say("phase." + std::string(model::to_text(phase))));
  }
  table.head.push_back(catalogue.say("chart.slowest"));
  for (const StepBucket& bucket : bucket_steps(steps, stride, kMostRows)) {
    const auto cell = [&](double ns) {
      return catalogue.number().fixed(ns / plot.unit.size_ns, plot.unit.decimals);
    };
    std::vector<std::string> row{steps_text(plot, bucket), cell(bucket.wall_ns)};
    for (const double ns : bucket.mean_ns) row.push_back(cell(ns));
    row.push_back(cell(bucket.slowest_ns));
    table.rows.push_back(std::move(row));
  }
  return table;
}

StackPlot plot_of(const analysis::RankFacts& rank, const Catalogue& catalogue, double at_least_ns) {
  StackPlot plot{.catalogue = catalogue,
                 .buckets = bucket_steps(rank.steps, rank.step_stride, kMostBuckets),
                 .unit = {},
                 .axis = {},
                 .last_step = 1};
  std::vector<double> walls;
  std::vector<double> slowest;
  for (const StepBucket& bucket : plot.buckets) {
    walls.push_back(bucket.wall_ns);
    slowest.push_back(bucket.slowest_ns);
  }
  // One step of ten seconds must not press all others flat: the scale fits nearly all of them.
  const double usual_ns =
      std::max({value_at_ratio(walls, 0.98), value_at_ratio(slowest, 0.90), at_least_ns});
  plot.unit = step_unit(static_cast<std::int64_t>(value_at_ratio(walls, 0.5)));
  plot.axis = axis_for(0, usual_ns * 1.05 / plot.unit.size_ns, 4);
  const StepBucket& last = plot.buckets.back();
  plot.last_step =
      static_cast<double>(std::max<std::uint64_t>(last.first_step + last.steps - 1, 1));
  return plot;
}

void set_labels(PlotFrame& frame, const StackPlot& plot) {
  const NumberFormat& number = plot.catalogue.number();
  for (const double tick : plot.axis.ticks) {
    frame.y_labels.push_back({plot.axis.at(tick), number.significant(tick, 3)});
  }
  for (const double tick : axis_for(0, plot.last_step, 5).ticks) {
    if (tick > plot.last_step || tick != std::round(tick)) continue;
    const double shown = tick == 0 ? 1 : tick;
    frame.x_labels.push_back({tick / plot.last_step, number.fixed(shown, 0)});
  }
}

}  // namespace

void write_step_stack(Markup& page, const analysis::RankFacts& rank, const Catalogue& catalogue,
                      double at_least_ns) {
  if (rank.steps.size() < 2) return;
  const StackPlot plot = plot_of(rank, catalogue, at_least_ns);
  PlotFrame frame;
  frame.title = catalogue.say("chart.steps") + ", " + plot.unit.name;
  frame.description = catalogue.say("chart.steps_desc");
  double highest_ns = 0;
  for (const StepBucket& bucket : plot.buckets)
    highest_ns = std::max(highest_ns, bucket.slowest_ns);
  if (highest_ns / plot.unit.size_ns > plot.axis.high) {
    frame.note = catalogue.say("chart.cut", {{"highest", plot.time(highest_ns)}});
  }
  for (std::size_t p = 0; p < model::kPhaseCount; ++p) {
    if (sums_below(plot, p) == sums_below(plot, p + 1)) continue;
    frame.legend.push_back(
        {catalogue.say("phase." + std::string(model::to_text(model::kPhases[p]))),
         "p" + std::to_string(p)});
  }
  frame.legend.push_back({catalogue.say("chart.slowest"), "slowest"});
  set_labels(frame, plot);
  frame.x_title = catalogue.say("table.step");
  for (const StepBucket& bucket : bucket_steps(rank.steps, rank.step_stride, kMostColumns)) {
    const double first = static_cast<double>(bucket.first_step - 1);
    frame.columns.push_back({first / plot.last_step,
                             (first + static_cast<double>(bucket.steps)) / plot.last_step,
                             column_text(plot, bucket)});
  }
  frame.table = table_of(plot, rank.steps, rank.step_stride);
  frame.table_label = catalogue.say("chart.table");
  write_plot(page, frame, [&](Markup& picture) {
    for (std::size_t p = 0; p < model::kPhaseCount; ++p) draw_layer(picture, plot, p);
    draw_slowest(picture, plot);
  });
}

}  // namespace latido::report
