#include "report/function_change_pieces.h"

#include <algorithm>
#include <cmath>

namespace latido::report {
namespace {

using analysis::FunctionChange;
using analysis::FunctionChanges;

// Much of what is before the first step is in both runs once: a run with more steps seems faster by it.
bool steps_are_apart(const FunctionChanges& changes) noexcept {
  constexpr double kAlike_ratio = 0.1;
  const auto before = static_cast<double>(changes.before_steps);
  const auto after = static_cast<double>(changes.after_steps);
  return changes.per_step && !changes.of_steps &&
         std::abs(after - before) > kAlike_ratio * std::max(before, after);
}

std::string amount_text(double amount, const FunctionChanges& changes, const NumberFormat& number) {
  return changes.per_step ? number.duration(static_cast<std::int64_t>(std::llround(amount)))
                          : number.percent(amount);
}

std::string change_text(double change, const FunctionChanges& changes, const Catalogue& catalogue) {
  std::string text;
  if (changes.per_step) {
    text = catalogue.number().duration(static_cast<std::int64_t>(std::llround(change)));
  } else {
    text = catalogue.say("diff.points", {{"points", catalogue.number().fixed(100 * change, 1)}});
  }
  return change > 0 ? "+" + text : text;
}

}  // namespace

bool has_function_changes(const DiffInput& diff) noexcept {
  return diff.functions.before_sampled || diff.functions.after_sampled;
}

std::vector<std::string> function_change_pieces(const DiffInput& diff, const Catalogue& catalogue) {
  const FunctionChanges& changes = diff.functions;
  if (!changes.comparable()) {
    const analysis::RunFacts& lacks = changes.before_total_ns > 0 ? diff.after : diff.before;
    return {catalogue.say("diff.not_sampled", {{"name", lacks.run.name}})};
  }
  std::vector<std::string> out{catalogue.say(changes.of_steps   ? "diff.functions_per_step_only"
                                             : changes.per_step ? "diff.functions_per_step"
                                                                : "diff.functions_share")};
  const auto compared = static_cast<std::int64_t>(changes.compared);
  const auto changed = static_cast<std::int64_t>(changes.changed.size());
  if (changed == 0) {
    out.push_back(catalogue.say("diff.functions_none", {{"compared", compared}}));
  } else {
    out.push_back(
        catalogue.say("diff.functions_count", {{"changed", changed}, {"compared", compared}}));
  }
  if (steps_are_apart(changes)) {
    out.push_back(catalogue.say("diff.start_up_included",
                                {{"before", static_cast<std::int64_t>(changes.before_steps)},
                                 {"after", static_cast<std::int64_t>(changes.after_steps)}}));
  }
  return out;
}

std::vector<FunctionChangeRow> function_change_rows(const DiffInput& diff,
                                                    const Catalogue& catalogue, std::size_t most) {
  const FunctionChanges& changes = diff.functions;
  std::vector<FunctionChangeRow> rows;
  for (std::size_t i = 0; i < std::min(most, changes.changed.size()); ++i) {
    const FunctionChange& function = changes.changed[i];
    const double before = changes.before_amount(function.before_ns);
    const double after = changes.after_amount(function.after_ns);
    rows.push_back({.name = function.name.empty() ? "?" : function.name,
                    .place = catalogue.place(function.file, 0),
                    .before = amount_text(before, changes, catalogue.number()),
                    .after = amount_text(after, changes, catalogue.number()),
                    .change = change_text(after - before, changes, catalogue),
                    .sign = after > before ? 1 : -1});
  }
  return rows;
}

}  // namespace latido::report
