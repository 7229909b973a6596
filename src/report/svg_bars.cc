#include "report/svg_bars.h"

#include <algorithm>
#include <string_view>

#include "report/report_pieces.h"
#include "report/svg_frame.h"

namespace latido::report {
namespace {

constexpr double kWidth = 1000;
constexpr std::size_t kMostLanes = 64;

void open_bar(Markup& page, std::string_view css_class, double height, std::string_view title) {
  page.open("svg", {{"class", css_class},
                    {"viewBox", "0 0 " + coordinate(kWidth) + " " + coordinate(height)},
                    {"preserveAspectRatio", "none"},
                    {"role", "img"},
                    {"aria-label", title}});
  page.element("title", title);
}

void rect(Markup& page, std::string_view css_class, double from_ratio, double to_ratio,
          double height) {
  page.leaf("rect", {{"class", css_class},
                     {"x", coordinate(from_ratio * kWidth)},
                     {"y", "0"},
                     {"width", coordinate(std::max(0.0, to_ratio - from_ratio) * kWidth)},
                     {"height", coordinate(height)}});
}

struct GainRow {
  std::string label;
  std::string value;
  std::int64_t ns;
  std::string_view css_class;
};

void write_gain_row(Markup& page, const GainRow& row, const model::Gain& gain, bool with_interval) {
  const double whole = static_cast<double>(
      std::max({gain.step_before_ns, gain.high_ns, gain.step_after_ns, std::int64_t{1}}));
  constexpr double kHeight = 20;
  page.open("div", {{"class", "gainrow"}}).element("span", row.label, {{"class", "faint"}});
  open_bar(page, "bar", kHeight, row.label + ": " + row.value);
  rect(page, row.css_class, 0, static_cast<double>(row.ns) / whole, kHeight);
  if (with_interval) {
    const double low = static_cast<double>(gain.low_ns) / whole;
    const double high = static_cast<double>(gain.high_ns) / whole;
    rect(page, "interval", low, high, kHeight);
  }
  page.close().element("b", row.value).close();
}

void write_lane(Markup& page, const analysis::WorkerFacts& worker, const std::string& name,
                bool with_waits, const Catalogue& catalogue) {
  const NumberFormat& number = catalogue.number();
  const double busy = worker.busy_ratio.value_or(0);
  const double computing = busy * worker.cpu_ratio.value_or(0);
  const std::string busy_text =
      worker.busy_ratio ? number.percent(busy) : catalogue.say("table.not_measured");
  std::string title = name + ": " + busy_text;
  if (worker.cpu_ratio) {
    title += ", " + catalogue.say("table.on_cpu") + " " + number.percent(*worker.cpu_ratio);
  }
  constexpr double kHeight = 20;
  page.open("tr").element("th", name, {{"scope", "row"}}).open("td", {{"class", "barcell"}});
  open_bar(page, "bar", kHeight, title);
  rect(page, "track", 0, 1, kHeight);
  rect(page, "busy", 0, busy, kHeight);
  if (worker.cpu_ratio) rect(page, "computing", 0, computing, kHeight);
  page.close().close().element("td", busy_text);
  page.element("td", worker.cpu_ratio ? number.percent(*worker.cpu_ratio)
                                      : catalogue.say("table.not_measured"));
  page.element("td", number.integer(static_cast<std::int64_t>(worker.batches)));
  const auto time_or_none = [&](std::int64_t ns) {
    return ns >= 0 ? number.duration(ns) : catalogue.say("table.not_measured");
  };
  page.element("td", time_or_none(worker.batch_mean_ns > 0 ? worker.batch_mean_ns : -1));
  if (with_waits) page.element("td", time_or_none(worker.wait_mean_ns));
  page.close();
}

}  // namespace

void write_split_bar(Markup& page, const std::string& title, const std::vector<BarPart>& parts) {
  constexpr double kHeight = 40;
  open_bar(page, "bar split", kHeight, title);
  double from = 0;
  for (const BarPart& part : parts) {
    page.open("rect", {{"class", part.css_class},
                       {"x", coordinate(from * kWidth)},
                       {"y", "0"},
                       {"width", coordinate(std::max(0.0, part.ratio) * kWidth)},
                       {"height", coordinate(kHeight)}});
    page.element("title", part.text).close();
    from += std::max(0.0, part.ratio);
  }
  page.close();
}

void write_cell_bar(Markup& page, double ratio, std::string_view css_class) {
  constexpr double kHeight = 20;
  page.open("svg", {{"class", "bar"},
                    {"viewBox", "0 0 " + coordinate(kWidth) + " " + coordinate(kHeight)},
                    {"preserveAspectRatio", "none"},
                    {"aria-hidden", "true"}});
  rect(page, css_class, 0, std::clamp(ratio, 0.0, 1.0), kHeight);
  page.close();
}

void write_gain_bars(Markup& page, const model::Gain& gain, const Catalogue& catalogue) {
  const StepUnit unit = step_unit(gain.step_before_ns);
  const auto shown = [&](std::int64_t ns) {
    return catalogue.number().compact(static_cast<double>(ns) / unit.size_ns) + "\u00A0" +
           unit.name;
  };
  page.open("div", {{"class", "gain"}});
  write_gain_row(
      page,
      {catalogue.say("table.before"), shown(gain.step_before_ns), gain.step_before_ns, "before"},
      gain, false);
  write_gain_row(
      page,
      {catalogue.say("table.predicted"), shown(gain.step_after_ns), gain.step_after_ns, "after"},
      gain, true);
  page.close();
}

void write_worker_lanes(Markup& page, const analysis::RunFacts& facts, const Catalogue& catalogue) {
  std::vector<std::string_view> heads{"table.worker", "table.busy",    "",
                                      "table.on_cpu", "table.batches", "table.per_batch"};
  bool with_waits = false;
  for (const analysis::RankFacts& rank : facts.ranks) {
    for (const analysis::WorkerFacts& worker : rank.workers) {
      with_waits = with_waits || worker.wait_mean_ns != model::kNotMeasured;
    }
  }
  if (with_waits) heads.push_back("table.waited");
  page.open("div", {{"class", "scroll"}}).open("table").open("thead").open("tr");
  for (const std::string_view id : heads) {
    page.element("th", id.empty() ? std::string() : catalogue.say(id), {{"scope", "col"}});
  }
  page.close().close().open("tbody");
  std::size_t shown = 0;
  for (const analysis::RankFacts& rank : facts.ranks) {
    for (const analysis::WorkerFacts& worker : rank.workers) {
      if (++shown > kMostLanes) break;
      const std::string number = std::to_string(worker.number >= 0 ? worker.number : worker.pid);
      const std::string lane = "w" + number;
      write_lane(page, worker, facts.ranks.size() > 1 ? rank_name(rank) + " " + lane : lane,
                 with_waits, catalogue);
    }
  }
  page.close().close().close();
}

}  // namespace latido::report
