// The terminal's table of sampled lines.
#include <algorithm>

#include "report/function_pieces.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kMargin = 3;
constexpr std::size_t kMostPlaceCells = 28;

// Those that are worth a line: all when asked for, else what takes some time of its own.
std::size_t count_shown(const TerminalPage& page, const analysis::RankFacts& rank,
                        const std::vector<analysis::LineTime>& lines, std::size_t most) {
  constexpr double kWorthALine_ratio = 0.01;
  const double least_ns =
      page.options.expanded
          ? 0
          : kWorthALine_ratio * static_cast<double>(own_times_are_of_ns(page.facts, rank));
  std::size_t shown = 0;
  while (shown < std::min(most, lines.size()) && lines[shown].self_ns > 0 &&
         static_cast<double>(lines[shown].self_ns) >= least_ns) {
    ++shown;
  }
  return shown;
}

void line_rows(TerminalPage& page, const analysis::RankFacts& rank,
               const std::vector<analysis::LineTime>& lines, std::size_t shown) {
  std::vector<std::string> places;
  std::size_t place_cells = 0;
  const std::size_t most_cells = page.screen.columns() < 60 ? 16 : kMostPlaceCells;
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string place = printable(page.catalogue.place(lines[i].file, lines[i].line));
    places.push_back(fitting_place(place, most_cells));
    place_cells = std::max(place_cells, cell_width(places.back()));
  }
  place_cells = std::min(place_cells, most_cells);
  const auto wall_ns = static_cast<double>(own_times_are_of_ns(page.facts, rank));
  const NumberFormat& number = page.catalogue.number();
  for (std::size_t i = 0; i < shown; ++i) {
    const analysis::LineTime& line = lines[i];
    const double ratio = static_cast<double>(line.self_ns) / wall_ns;
    page.screen.line(
        std::string(kMargin, ' ') + pad_right(cut_to(places[i], place_cells), place_cells) +
            pad_left(number.duration(line.self_ns), 10) + pad_left(number.percent(ratio), 8) + "  ",
        Ink::kPlain, line.source.empty() ? line.function : line.source);
  }
}

}  // namespace

void put_lines(TerminalPage& page, bool briefly) {
  const analysis::RankFacts* lead = lead_rank(page.facts);
  if (lead == nullptr) return;
  const std::size_t most = page.options.expanded ? 40 : briefly ? 5 : 10;
  const std::size_t shown = count_shown(page, *lead, lead->lines, most);
  const std::size_t in_workers = count_shown(page, *lead, lead->worker_lines, most);
  if (shown + in_workers == 0) return;
  page.heading("section.lines", {own_time_heading(page.facts, *lead, page.catalogue)});
  line_rows(page, *lead, lead->lines, shown);
  if (in_workers == 0) return;
  page.heading("lines.workers");
  line_rows(page, *lead, lead->worker_lines, in_workers);
}

}  // namespace latido::report
