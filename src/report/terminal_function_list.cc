// The terminal's list of all functions that a run met, for who asks for it.
#include <algorithm>

#include "report/function_list_pieces.h"
#include "report/function_pieces.h"
#include "report/terminal_sections.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

constexpr std::size_t kNameCells = 34;
constexpr std::size_t kCallsCells = 13;

void put_state(TerminalPage& page, std::span<const analysis::ListedFunction> functions) {
  const std::size_t name_cells = std::min(kNameCells, page.screen.columns() / 2);
  const std::size_t before_place = 3 + name_cells + kCallsCells + 2;
  const std::size_t place_cells =
      page.screen.columns() > before_place ? page.screen.columns() - before_place : 0;
  for (const analysis::ListedFunction& function : functions) {
    const std::string calls =
        function.calls > 0
            ? page.catalogue.number().integer(static_cast<std::int64_t>(function.calls))
            : "–";
    const std::string place = printable(page.catalogue.place(function.file, function.line));
    page.screen.line("   " + pad_right(cut_to(printable(function.name), name_cells), name_cells) +
                         pad_left(calls, kCallsCells) + "  ",
                     Ink::kPlain, place_cells > 0 ? fitting_place(place, place_cells) : "");
  }
}

}  // namespace

void put_function_list(TerminalPage& page) {
  if (page.facts.function_list.empty()) return;
  page.heading("section.function_list");
  for (const analysis::FunctionState state : kFunctionStates) {
    const auto functions = functions_in(page.facts.function_list, state);
    if (functions.empty()) continue;
    page.screen.flow("   ", Ink::kStrong,
                     {function_state_text(state, functions.size(), page.catalogue)}, " ", 3);
    put_state(page, functions);
  }
}

}  // namespace latido::report
