// The HTML report's table of sampled lines.
#include <algorithm>

#include "report/function_pieces.h"
#include "report/html_page.h"
#include "report/html_sections.h"

namespace latido::report {
namespace {

constexpr std::size_t kMost = 30;
constexpr std::size_t kPlaceCells = 32;

void line_table(HtmlReport& report, const analysis::RankFacts& rank,
                const std::vector<analysis::LineTime>& lines) {
  Markup& page = report.page;
  const auto wall_ns = static_cast<double>(own_times_are_of_ns(report.facts, rank));
  const NumberFormat& number = report.catalogue.number();
  const bool with_source = std::ranges::any_of(
      lines, [](const analysis::LineTime& line) { return !line.source.empty(); });
  std::vector<std::string> head{report.say("table.place"), report.say("table.self"),
                                report.say("table.share"), report.say("table.total"),
                                report.say("table.function")};
  if (with_source) head.push_back(report.say("table.source"));
  page.open("div", {{"class", "scroll"}}).open("table", {{"class", "text-last"}});
  write_head(page, head);
  for (std::size_t i = 0; i < std::min(kMost, lines.size()); ++i) {
    const analysis::LineTime& line = lines[i];
    const std::string place = report.catalogue.place(line.file, line.line);
    page.open("tr");
    page.element("th", fitting_place(place, kPlaceCells), {{"scope", "row"}, {"title", place}});
    page.element("td", number.duration(line.self_ns));
    page.element("td", number.percent(static_cast<double>(line.self_ns) / wall_ns));
    page.element("td", number.duration(line.total_ns))
        .element("td", line.function, {{"class", "place"}});
    if (with_source) page.open("td", {{"class", "text"}}).element("code", line.source).close();
    page.close();
  }
  page.close().close().close();
}

}  // namespace

void html_lines(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr || (lead->lines.empty() && lead->worker_lines.empty())) return;
  open_section(report.page, report.say("section.lines"),
               own_time_heading(report.facts, *lead, report.catalogue));
  if (!lead->lines.empty()) line_table(report, *lead, lead->lines);
  if (!lead->worker_lines.empty()) {
    report.page.element("h3", report.say("lines.workers"));
    line_table(report, *lead, lead->worker_lines);
  }
  report.page.close();
}

}  // namespace latido::report
