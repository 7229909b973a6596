// The tables of the HTML report: where a step and the run went, ranks, zones, processes.
#include <algorithm>

#include "report/html_page.h"
#include "report/html_sections.h"
#include "report/process_text.h"
#include "report/rank_comparison.h"
#include "report/report_pieces.h"
#include "report/svg_bars.h"
#include "report/svg_frame.h"

namespace latido::report {
namespace {

constexpr std::size_t kMostZones = 30;
constexpr std::size_t kMostProcesses = 50;
constexpr double kBreakDownOtherFrom = 0.02;

std::string phase_name(const HtmlReport& report, model::Phase phase) {
  return report.say("phase." + std::string(model::to_text(phase)));
}

std::string phase_class(model::Phase phase) {
  return "p" + std::to_string(static_cast<std::size_t>(phase));
}

std::string percent_one(const HtmlReport& report, double ratio) {
  return report.catalogue.number().fixed(ratio * 100, 1) + "\u00A0%";
}

void phase_row_html(HtmlReport& report, const PhaseRow& row, const StepUnit& unit) {
  Markup& page = report.page;
  page.open("tr").element("th", phase_name(report, row.phase), {{"scope", "row"}});
  if (row.mean_ns == model::kNotMeasured) {
    page.element("td", report.say("table.not_measured"));
    page.element("td", not_measured_text(row.reason, report.catalogue),
                 {{"class", "detail"}, {"colspan", "2"}});
  } else {
    page.element("td", report.catalogue.number().fixed(
                           static_cast<double>(row.mean_ns) / unit.size_ns, unit.decimals));
    page.element("td", percent_one(report, row.ratio));
    page.open("td", {{"class", "barcell"}});
    write_cell_bar(page, row.ratio, phase_class(row.phase));
    page.close();
  }
  page.close();
}

// What "other" is made of, on a row of its own.
void other_row_html(HtmlReport& report, const StepSummary& steps, const StepUnit& unit) {
  const PhaseRow& other = steps.phases[static_cast<std::size_t>(model::Phase::kOther)];
  if (other.ratio <= kBreakDownOtherFrom || steps.other.empty()) return;
  std::string text;
  for (const std::string& piece : other_pieces(steps, report.catalogue, unit.size_ns)) {
    text += (text.empty() ? "" : " · ") + piece;
  }
  report.page.open("tr").element("td", text, {{"class", "detail"}, {"colspan", "4"}}).close();
}

struct RunPartRow {
  std::string_view id;
  std::string_view css_class;
  std::int64_t ns;
  std::uint32_t times;
};

std::array<RunPartRow, 6> run_part_rows(const analysis::RunParts& parts) {
  return {{{"run_part.startup", "p1", parts.startup_ns, 0},
           {"run_part.warmup", "p4", parts.warmup_ns, 0},
           {"run_part.steps", "p2", parts.steps_ns, 0},
           {"run_part.evaluation", "p5", parts.evaluation_ns, parts.evaluations},
           {"run_part.checkpoint", "p0", parts.checkpoint_ns, parts.checkpoints},
           {"run_part.other", "p6", parts.other_ns, 0}}};
}

double ratio_of(std::int64_t part, std::int64_t whole) {
  return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
}

std::string rank_cell(const HtmlReport& report, std::int64_t ns, const StepUnit& unit) {
  if (ns == model::kNotMeasured) return report.say("table.not_measured");
  return report.catalogue.number().fixed(static_cast<double>(ns) / unit.size_ns, unit.decimals);
}

void zone_table(HtmlReport& report, const std::vector<analysis::NamedTime>& zones) {
  Markup& page = report.page;
  const std::int64_t wall_ns = report.facts.run.wall_ns();
  page.open("div", {{"class", "scroll"}}).open("table");
  write_head(page,
             {report.say("table.name"), report.say("table.self"), report.say("table.share"), "",
              report.say("table.total"), report.say("table.calls"), report.say("table.place")});
  const NumberFormat& number = report.catalogue.number();
  for (std::size_t i = 0; i < std::min(kMostZones, zones.size()); ++i) {
    const analysis::NamedTime& zone = zones[i];
    const double ratio = ratio_of(zone.self_ns, wall_ns);
    page.open("tr").element("th", zone.name, {{"scope", "row"}});
    page.element("td", number.duration(zone.self_ns)).element("td", number.percent(ratio));
    page.open("td", {{"class", "barcell"}});
    write_cell_bar(page, ratio, "plain");
    page.close().element("td", number.duration(zone.total_ns));
    page.element("td", number.integer(static_cast<std::int64_t>(zone.calls)));
    page.element("td", report.catalogue.place(zone.file, zone.line), {{"class", "place"}}).close();
  }
  page.close().close().close();
}

}  // namespace

void html_steps(HtmlReport& report, const StepSummary& steps) {
  Markup& page = report.page;
  const StepUnit unit = step_unit(steps.mean_ns);
  const auto ranks = static_cast<std::int64_t>(report.facts.ranks.size());
  const auto count = static_cast<std::int64_t>(steps.count);
  open_section(page, report.say("section.step"),
               ranks > 1 ? report.say("step.mean_ranks", {{"count", count}, {"ranks", ranks}})
                         : report.say("step.mean", {{"count", count}}));
  std::vector<BarPart> parts;
  for (const PhaseRow& row : steps.phases) {
    if (row.mean_ns == model::kNotMeasured) continue;
    parts.push_back({phase_name(report, row.phase) + ": " + percent_one(report, row.ratio),
                     phase_class(row.phase), row.ratio});
  }
  write_split_bar(page, report.say("section.step"), parts);
  page.open("table");
  write_head(page, {report.say("table.phase"), unit.name, report.say("table.share"), ""});
  for (const PhaseRow& row : steps.phases) phase_row_html(report, row, unit);
  other_row_html(report, steps, unit);
  page.open("tr", {{"class", "sum"}}).element("th", report.say("table.step"), {{"scope", "row"}});
  page.element("td", rank_cell(report, steps.mean_ns, unit)).element("td", percent_one(report, 1));
  page.element("td", "").close();
  page.close().close().close();
}

void html_run_parts(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || run_part_pieces(report.facts, report.catalogue).size() < 2) return;
  const std::int64_t whole_ns = lead->parts.sum_ns();
  const NumberFormat& number = report.catalogue.number();
  const int decimals = whole_ns < 10'000'000'000 ? 2 : 1;
  Markup& page = report.page;
  open_section(page, report.say("section.run"),
               report.facts.ranks.size() > 1
                   ? report.say("run.rank", {{"rank", std::int64_t{lead->rank.value_or(0)}}})
                   : std::string());
  std::vector<BarPart> parts;
  for (const RunPartRow& row : run_part_rows(lead->parts)) {
    parts.push_back({report.say(row.id) + ": " + percent_one(report, ratio_of(row.ns, whole_ns)),
                     std::string(row.css_class), ratio_of(row.ns, whole_ns)});
  }
  write_split_bar(page, report.say("section.run"), parts);
  page.open("table");
  write_head(page, {report.say("table.part"), "s", report.say("table.share"), ""});
  for (const RunPartRow& row : run_part_rows(lead->parts)) {
    if (row.ns <= 0) continue;
    const std::string times = row.times > 0 ? " (" + number.integer(row.times) + "×)" : "";
    page.open("tr").element("th", report.say(row.id) + times, {{"scope", "row"}});
    page.element("td", number.fixed(static_cast<double>(row.ns) / 1e9, decimals));
    page.element("td", percent_one(report, ratio_of(row.ns, whole_ns)));
    page.open("td", {{"class", "barcell"}});
    write_cell_bar(page, ratio_of(row.ns, whole_ns), row.css_class);
    page.close().close();
  }
  page.open("tr", {{"class", "sum"}}).element("th", report.say("table.total"), {{"scope", "row"}});
  page.element("td", number.fixed(static_cast<double>(whole_ns) / 1e9, decimals));
  page.element("td", percent_one(report, 1)).element("td", "").close();
  page.close().close().close();
}

void html_ranks(HtmlReport& report, const StepSummary& steps) {
  if (report.facts.ranks.size() < 2) return;
  const StepUnit unit = step_unit(steps.mean_ns);
  TableText table;
  table.head = {"rank", report.say("run_part.steps"), report.say("table.step") + " " + unit.name};
  for (const model::Phase phase : model::kPhases) table.head.push_back(phase_name(report, phase));
  table.head.push_back(report.say("table.samples"));
  const NumberFormat& number = report.catalogue.number();
  for (const analysis::RankFacts& rank : report.facts.ranks) {
    std::vector<std::string> row{rank_name(rank),
                                 number.integer(static_cast<std::int64_t>(rank.stats.count)),
                                 rank_cell(report, rank.stats.mean_ns, unit)};
    for (const analysis::PhaseStats& phase : rank.phases) {
      row.push_back(rank_cell(report, phase.mean_ns, unit));
    }
    row.push_back(rank.samples_per_s > 0 ? number.compact(rank.samples_per_s)
                                         : report.say("table.not_measured"));
    table.rows.push_back(std::move(row));
  }
  open_section(report.page, report.say("section.ranks"));
  write_pieces(report.page, rank_pieces(report.facts, steps, report.catalogue));
  write_table(report.page, table);
  report.page.close();
}

void html_zones(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || (lead->zones.empty() && lead->worker_zones.empty())) return;
  const std::int64_t wall_ns = report.facts.run.wall_ns();
  open_section(report.page, report.say("section.zones"),
               report.say("zones.self", {{"wall_ns", wall_ns}}));
  if (!lead->zones.empty()) zone_table(report, lead->zones);
  if (!lead->worker_zones.empty()) {
    report.page.element("h3", report.say("zones.workers"));
    zone_table(report, lead->worker_zones);
  }
  report.page.close();
}

void html_series(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || lead->series.empty()) return;
  const NumberFormat& number = report.catalogue.number();
  TableText table;
  table.head = {report.say("table.name"), report.say("table.values"), report.say("table.first"),
                report.say("table.last"), report.say("table.least"),  report.say("table.most")};
  for (const analysis::LoggedSeries& series : lead->series) {
    std::vector<std::string> row{series.name,
                                 number.integer(static_cast<std::int64_t>(series.count))};
    for (const double value : {series.first, series.last, series.min, series.max}) {
      row.push_back(number.significant(value, 4));
    }
    table.rows.push_back(std::move(row));
  }
  const auto beyond = static_cast<std::int64_t>(lead->series_beyond);
  open_section(report.page, report.say("section.series"),
               beyond > 0 ? report.say("series.beyond", {{"count", beyond}}) : std::string());
  write_table(report.page, table);
  report.page.close();
}

void html_processes(HtmlReport& report) {
  std::vector<analysis::ProcessFacts> use = report.facts.process_use;
  std::erase_if(use, [&](const analysis::ProcessFacts& p) {
    return model::index_of(p.process) >= report.facts.processes.size();
  });
  if (use.empty()) return;
  std::ranges::stable_sort(use, std::ranges::greater{}, &analysis::ProcessFacts::cpu_ns);
  TableText table;
  table.head = {"pid", report.say("table.cpu_time"), report.say("table.memory_peak"),
                report.say("table.command")};
  for (std::size_t i = 0; i < std::min(kMostProcesses, use.size()); ++i) {
    const model::Process& process = report.facts.processes[model::index_of(use[i].process)];
    table.rows.push_back({std::to_string(process.pid), cpu_time_text(use[i], report.catalogue),
                          memory_text(use[i], report.catalogue), process.command});
  }
  table.last_is_text = true;
  open_section(report.page, report.say("section.processes"),
               report.say("processes.count", {{"count", static_cast<std::int64_t>(use.size())}}));
  write_table(report.page, table);
  report.page.close();
}

}  // namespace latido::report
