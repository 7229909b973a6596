#include "report/function_list_pieces.h"

#include <algorithm>

namespace latido::report {

std::span<const analysis::ListedFunction> functions_in(
    std::span<const analysis::ListedFunction> list, analysis::FunctionState state) noexcept {
  const auto range = std::ranges::equal_range(list, state, {}, &analysis::ListedFunction::state);
  return list.subspan(static_cast<std::size_t>(range.begin() - list.begin()), range.size());
}

std::string function_state_text(analysis::FunctionState state, std::size_t count,
                                const Catalogue& catalogue) {
  return catalogue.say("function_list." + std::string(to_text(state)),
                       {{"count", static_cast<std::int64_t>(count)}});
}

}  // namespace latido::report
