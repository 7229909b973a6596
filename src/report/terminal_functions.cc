// The terminal's table of recorded functions.
#include <algorithm>

#include "report/function_pieces.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMargin = 3;

std::string calls_and_place(const TerminalPage& page, const analysis::FunctionTime& function) {
  std::string text =
      page.say("zones.calls", {{"calls", static_cast<std::int64_t>(function.calls)}});
  if (function.elided) text += ", " + page.say("functions.elided");
  const std::string place = page.catalogue.place(function.file, function.line);
  return place.empty() ? text : text + "   " + place;
}

void function_rows(TerminalPage& page, const std::vector<analysis::FunctionTime>& functions,
                   std::size_t most) {
  const std::size_t shown = std::min(most, functions.size());
  std::size_t name_cells = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    name_cells = std::max(name_cells, cell_width(printable(functions[i].name)));
  }
  name_cells = std::min<std::size_t>(name_cells, page.screen.columns() < 60 ? 14 : 26);
  const double wall_ns = static_cast<double>(std::max<std::int64_t>(page.facts.run.wall_ns(), 1));
  const NumberFormat& number = page.catalogue.number();
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::FunctionTime& function = functions[i];
    const double ratio = static_cast<double>(function.self_ns) / wall_ns;
    const std::string name = cut_to(printable(function.name), name_cells);
    page.screen.line(
        std::string(kMargin, ' ') + pad_right(name, name_cells) +
            pad_left(number.duration(function.self_ns), 10) + pad_left(number.percent(ratio), 8) +
            "  ",
        Ink::kPlain,
        pad_right(block_bar(std::min(ratio, 1.0), 8), 9) + calls_and_place(page, function));
  }
  if (shown == functions.size()) return;
  const auto left = static_cast<std::int64_t>(functions.size() - shown);
  page.screen.line("   " + page.say("trust.more", {{"count", left}}), Ink::kFaint);
}

}  // namespace

void put_functions(TerminalPage& page, bool briefly) {
  const analysis::RankFacts* lead = lead_rank(page.facts);
  if (lead == nullptr || (lead->functions.empty() && lead->worker_functions.empty())) return;
  page.heading("section.functions", function_pieces(page.facts, *lead, page.catalogue));
  const std::size_t most = page.options.expanded ? 40 : briefly ? 5 : 10;
  function_rows(page, lead->functions, most);
  if (!lead->worker_functions.empty()) {
    page.heading("functions.workers");
    function_rows(page, lead->worker_functions, most);
  }
  if (lead->function_counts.elided == 0) return;
  page.screen.flow(std::string(kMargin, ' '), Ink::kFaint, {page.say("functions.elided_note")}, " ",
                   kMargin);
}

}  // namespace latido::report
