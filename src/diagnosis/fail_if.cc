#include "diagnosis/fail_if.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>

namespace latido::diagnosis {
namespace {

void skip_blanks(std::string_view& rest) {
  rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
}

std::string_view take_word(std::string_view& rest) {
  const auto is_letter = [](char c) { return (c >= 'a' && c <= 'z') || c == '_' || c == '2'; };
  const auto end = std::ranges::find_if_not(rest, is_letter);
  const std::string_view word = rest.substr(0, static_cast<std::size_t>(end - rest.begin()));
  rest.remove_prefix(word.size());
  return word;
}

std::optional<double> take_number(std::string_view& rest) {
  if (rest.starts_with('+')) rest.remove_prefix(1);
  double number = 0;
  const auto [stop, errc] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
  if (errc != std::errc{} || !std::isfinite(number)) return std::nullopt;
  rest.remove_prefix(static_cast<std::size_t>(stop - rest.data()));
  return number;
}

bool is_metric(std::string_view word) {
  return word == "step" || word == "loss" ||
         std::ranges::any_of(model::kPhases,
                             [word](model::Phase phase) { return model::to_text(phase) == word; });
}

Error wrong(std::string_view text, std::string_view what) {
  return {ErrorCode::kInvalidInput, "condition '" + std::string(text) + "': " + std::string(what) +
                                        " (for instance 'step > +3 %')"};
}

struct Change {
  double low = 0;
  double high = 0;
};

// after ÷ before − 1, with its interval.
Change change_of(const analysis::StepComparison& test) {
  return {1 / test.speedup_high - 1, 1 / test.speedup_low - 1};
}

std::optional<Change> find_change(std::string_view metric, const Comparison& comparison) {
  if (metric == "loss") {
    if (!comparison.loss) return std::nullopt;
    return Change{comparison.loss->low_ratio, comparison.loss->high_ratio};
  }
  if (metric == "step") {
    if (!comparison.step) return std::nullopt;
    return change_of(*comparison.step);
  }
  for (const PhaseChange& change : comparison.phases) {
    if (model::to_text(change.phase) == metric && change.test) return change_of(*change.test);
  }
  return std::nullopt;
}

}  // namespace

Result<FailIf> parse_fail_if(std::string_view text) {
  std::string_view rest = text;
  skip_blanks(rest);
  FailIf condition;
  condition.metric = std::string(take_word(rest));
  if (!is_metric(condition.metric)) return wrong(text, "expected step, loss or a phase");
  skip_blanks(rest);
  if (!rest.starts_with('>') && !rest.starts_with('<')) return wrong(text, "expected > or <");
  condition.above = rest.front() == '>';
  rest.remove_prefix(1);
  skip_blanks(rest);
  const std::optional<double> percent = take_number(rest);
  if (!percent) return wrong(text, "expected a number");
  condition.limit_ratio = *percent / 100;
  skip_blanks(rest);
  if (!rest.starts_with('%')) return wrong(text, "expected % after the number");
  rest.remove_prefix(1);
  skip_blanks(rest);
  if (!rest.empty()) return wrong(text, "nothing may follow the %");
  return condition;
}

GateAnswer judge(const FailIf& condition, const Comparison& comparison) {
  const std::optional<Change> change = find_change(condition.metric, comparison);
  // Loss is compared at equal samples, so that runs on different machines still can be.
  const bool comparable = comparison.not_comparable.empty() || condition.metric == "loss";
  if (!change || !comparable) return GateAnswer::kCannotTell;
  const double limit = condition.limit_ratio;
  if (condition.above ? change->low > limit : change->high < limit) {
    return GateAnswer::kRegression;
  }
  if (condition.above ? change->high <= limit : change->low >= limit) return GateAnswer::kPass;
  return GateAnswer::kCannotTell;
}

}  // namespace latido::diagnosis
