// The HTML report's list of all functions that a run met, for who asks for it.
#include <algorithm>

#include "report/function_list_pieces.h"
#include "report/html_page.h"
#include "report/html_sections.h"

namespace latido::report {
namespace {

constexpr std::size_t kMost = 5'000;  // of one state: browsers are slow with longer tables

void state_table(HtmlReport& report, std::span<const analysis::ListedFunction> functions) {
  Markup& page = report.page;
  page.open("div", {{"class", "scroll"}}).open("table");
  write_head(page,
             {report.say("table.name"), report.say("table.calls"), report.say("table.place")});
  for (const analysis::ListedFunction& function :
       functions.first(std::min(kMost, functions.size()))) {
    page.open("tr").element("th", function.name, {{"scope", "row"}});
    page.element("td", function.calls > 0 ? report.catalogue.number().integer(
                                                static_cast<std::int64_t>(function.calls))
                                          : "–");
    page.element("td", report.catalogue.place(function.file, function.line)).close();
  }
  page.close().close().close();
  if (functions.size() <= kMost) return;
  const auto left = static_cast<std::int64_t>(functions.size() - kMost);
  page.element("p", report.say("trust.more", {{"count", left}}), {{"class", "faint"}});
}

}  // namespace

void html_function_list(HtmlReport& report) {
  if (report.facts.function_list.empty()) return;
  open_section(report.page, report.say("section.function_list"));
  for (const analysis::FunctionState state : kFunctionStates) {
    const auto functions = functions_in(report.facts.function_list, state);
    if (functions.empty()) continue;
    report.page.open("details", {{"class", "plain"}});
    report.page.element("summary", function_state_text(state, functions.size(), report.catalogue));
    state_table(report, functions);
    report.page.close();
  }
  report.page.close();
}

}  // namespace latido::report
