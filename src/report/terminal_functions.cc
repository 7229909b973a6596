// The terminal's table of recorded functions.
#include <algorithm>

#include "report/function_pieces.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMargin = 3;

// Those worth a line: all when `everything`, else what takes some time of its own.
std::size_t count_shown(const TerminalPage& page, const analysis::RankFacts& rank,
                        const std::vector<analysis::FunctionTime>& functions, std::size_t most) {
  constexpr double kWorthALine_ratio = 0.0005;
  if (page.options.expanded) return std::min(most, functions.size());
  const double least_ns =
      kWorthALine_ratio * static_cast<double>(own_times_are_of_ns(page.facts, rank));
  std::size_t shown = 0;
  while (shown < std::min(most, functions.size()) &&
         static_cast<double>(functions[shown].own_ns()) >= least_ns) {
    ++shown;
  }
  return shown;
}

void function_rows(TerminalPage& page, const analysis::RankFacts& rank,
                   const std::vector<analysis::FunctionTime>& functions, std::size_t most) {
  const std::size_t shown = count_shown(page, rank, functions, most);
  std::size_t name_cells = 0;
  std::size_t calls_cells = 0;
  for (std::size_t i = 0; i < shown; ++i) {
    name_cells = std::max(name_cells, cell_width(printable(functions[i].name)));
    calls_cells =
        std::max(calls_cells, cell_width(function_calls(functions[i], rank, page.catalogue)));
  }
  const bool narrow = page.screen.columns() < 60;
  name_cells = std::min<std::size_t>(name_cells, narrow ? 14 : 26);
  const std::size_t before_place = kMargin + name_cells + 10 + 8 + 2 + calls_cells + 2;
  const std::size_t place_cells =
      page.screen.columns() > before_place ? page.screen.columns() - before_place : 0;
  const auto wall_ns = static_cast<double>(own_times_are_of_ns(page.facts, rank));
  const NumberFormat& number = page.catalogue.number();
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::FunctionTime& function = functions[i];
    const double ratio = static_cast<double>(function.own_ns()) / wall_ns;
    std::string rest = pad_right(function_calls(function, rank, page.catalogue), calls_cells);
    const std::string place = page.catalogue.place(function.file, function.line);
    if (!place.empty() && !narrow) rest += "  " + fitting_place(printable(place), place_cells);
    page.screen.line(std::string(kMargin, ' ') +
                         pad_right(cut_to(printable(function.name), name_cells), name_cells) +
                         pad_left(number.duration(function.own_ns()), 10) +
                         pad_left(number.percent(ratio), 8) + "  ",
                     Ink::kPlain, rest);
  }
  if (shown == functions.size()) return;
  const auto left = static_cast<std::int64_t>(functions.size() - shown);
  page.screen.line("   " + page.say("trust.more", {{"count", left}}), Ink::kFaint);
}

}  // namespace

void put_functions(TerminalPage& page, bool briefly) {
  const analysis::RankFacts* lead = lead_rank(page.facts);
  if (lead == nullptr) return;
  const bool any = !lead->functions.empty() || !lead->worker_functions.empty();
  if (!any && !nothing_matched(*lead)) return;
  page.heading("section.functions", function_pieces(page.facts, *lead, page.catalogue));
  const std::size_t most = page.options.expanded ? 40 : briefly ? 5 : 10;
  function_rows(page, *lead, lead->functions, most);
  if (!lead->worker_functions.empty()) {
    page.heading("functions.workers");
    function_rows(page, *lead, lead->worker_functions, most);
  }
  const std::string note = elided_note(page.facts, *lead, page.catalogue);
  if (note.empty()) return;
  page.screen.flow(std::string(kMargin, ' '), Ink::kFaint, {note}, " ", kMargin);
}

}  // namespace latido::report
