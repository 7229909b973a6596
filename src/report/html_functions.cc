// The HTML report's table of recorded functions.
#include <algorithm>

#include "report/function_pieces.h"
#include "report/html_page.h"
#include "report/html_sections.h"

namespace latido::report {
namespace {

constexpr std::size_t kMost = 25;
constexpr std::size_t kPlaceCells = 26;

void function_table(HtmlReport& report, const analysis::RankFacts& rank,
                    const std::vector<analysis::FunctionTime>& functions) {
  Markup& page = report.page;
  const auto wall_ns = static_cast<double>(own_times_are_of_ns(report.facts, rank));
  const NumberFormat& number = report.catalogue.number();
  const auto when_known = [&](std::int64_t ns) {
    return ns > 0 ? number.duration(ns) : report.say("table.not_measured");
  };
  page.open("div", {{"class", "scroll"}}).open("table", {{"class", "wide"}});
  write_head(page, {report.say("table.name"), report.say("table.self"), report.say("table.share"),
                    report.say("table.total"), report.say("table.calls"), "p50", "p95", "p99",
                    report.say("table.place")});
  for (std::size_t i = 0; i < std::min(kMost, functions.size()); ++i) {
    const analysis::FunctionTime& function = functions[i];
    page.open("tr").element("th", function.name, {{"scope", "row"}});
    page.element("td", number.duration(function.own_ns()));
    page.element("td", number.percent(static_cast<double>(function.own_ns()) / wall_ns));
    page.element("td", number.duration(function.inclusive_ns()));
    page.element("td", function_calls(function, rank, report.catalogue));
    page.element("td", when_known(function.p50_ns)).element("td", when_known(function.p95_ns));
    page.element("td", when_known(function.p99_ns));
    const std::string place = report.catalogue.place(function.file, function.line);
    page.element("td", fitting_place(place, kPlaceCells), {{"class", "place"}, {"title", place}});
    page.close();
  }
  page.close().close().close();
}

}  // namespace

void html_functions(HtmlReport& report) {
  const analysis::RankFacts* lead = lead_rank(report.facts);
  if (lead == nullptr) return;
  const bool any = !lead->functions.empty() || !lead->worker_functions.empty();
  if (!any && !nothing_matched(*lead)) return;
  std::string note;
  for (const std::string& piece : function_pieces(report.facts, *lead, report.catalogue)) {
    note += (note.empty() ? "" : " · ") + piece;
  }
  open_section(report.page, report.say("section.functions"), note);
  if (!lead->functions.empty()) function_table(report, *lead, lead->functions);
  if (!lead->worker_functions.empty()) {
    report.page.element("h3", report.say("functions.workers"));
    function_table(report, *lead, lead->worker_functions);
  }
  const std::string elided = elided_note(report.facts, *lead, report.catalogue);
  if (!elided.empty()) report.page.element("p", elided, {{"class", "faint"}});
  report.page.close();
}

}  // namespace latido::report
