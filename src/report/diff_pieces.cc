#include "report/diff_pieces.h"

#include <algorithm>
#include <cmath>

#include "report/text_layout.h"

namespace latido::report {
namespace {

using diagnosis::LossOutcome;
using diagnosis::Outcome;

std::string in_unit(double ns, const StepUnit& unit, const NumberFormat& number) {
  return number.fixed(ns / unit.size_ns, unit.decimals);
}

std::string p_text(double p_value, const NumberFormat& number) {
  constexpr double kLeast = 0.001;
  return p_value < kLeast ? "< " + number.fixed(kLeast, 3) : "= " + number.fixed(p_value, 3);
}

std::string count_text(const analysis::StepComparison& step, const Catalogue& catalogue) {
  const auto before = static_cast<std::int64_t>(step.before_count);
  const auto after = static_cast<std::int64_t>(step.after_count);
  if (before == after) return catalogue.say("diff.steps_each", {{"count", before}});
  return catalogue.say("diff.steps", {{"before", before}, {"after", after}});
}

DiffLine step_line(const DiffInput& diff, const Catalogue& catalogue) {
  const diagnosis::Comparison& got = diff.comparison;
  const NumberFormat& number = catalogue.number();
  DiffLine line{
      .label = capitals(catalogue.say("diff.outcome." + std::string(to_text(got.outcome)))),
      .pieces = {}};
  if (got.before_step_ns > 0 && got.after_step_ns > 0) {
    const StepUnit unit = diff_unit(diff);
    line.pieces.push_back(catalogue.say(
        "diff.step", {{"before", in_unit(static_cast<double>(got.before_step_ns), unit, number)},
                      {"after", in_unit(static_cast<double>(got.after_step_ns), unit, number)},
                      {"unit", unit.name}}));
  }
  if (got.whole) {
    line.pieces.push_back(
        catalogue.say("diff.whole", {{"before", number.duration(got.before_wall_ns)},
                                     {"after", number.duration(got.after_wall_ns)}}));
  }
  if (got.step) {
    line.pieces.push_back(
        catalogue.say("diff.speedup", {{"factor", number.fixed(got.step->speedup, 2)},
                                       {"low", number.fixed(got.step->speedup_low, 2)},
                                       {"high", number.fixed(got.step->speedup_high, 2)}}));
    line.pieces.push_back(catalogue.say("diff.p", {{"p", p_text(got.step->p_value, number)}}));
    line.pieces.push_back(count_text(*got.step, catalogue));
  }
  return line;
}

DiffLine prediction_line(const diagnosis::PredictionScore& score, const Catalogue& catalogue) {
  const NumberFormat& number = catalogue.number();
  const StepUnit unit = step_unit(score.predicted.step_before_ns);
  const auto shown = [&](std::int64_t ns) {
    return number.compact(static_cast<double>(ns) / unit.size_ns);
  };
  DiffLine line{.label = capitals(catalogue.say("diff.predicted")), .pieces = {}};
  line.pieces.push_back(
      catalogue.say("diff.prediction", {{"after", shown(score.predicted.step_after_ns)},
                                        {"low", shown(score.predicted.low_ns)},
                                        {"high", shown(score.predicted.high_ns)},
                                        {"unit", unit.name}}));
  // What was done is not what was predicted: then being off says nothing about the prediction.
  for (const model::Message& note : score.notes) line.pieces.push_back(catalogue.say(note));
  if (score.tried) {
    line.pieces.push_back(catalogue.say(score.inside ? "diff.inside" : "diff.outside",
                                        {{"off_ratio", score.off_ratio}}));
  }
  return line;
}

std::string_view loss_id(LossOutcome outcome) {
  switch (outcome) {
    case LossOutcome::kSame:
      return "diff.loss_same";
    case LossOutcome::kDifferent:
      return "diff.loss_different";
    case LossOutcome::kCannotTell:
      break;
  }
  return "diff.loss_unknown";
}

DiffLine loss_line(const diagnosis::LossComparison& loss, const Catalogue& catalogue) {
  const NumberFormat& number = catalogue.number();
  const auto percent = [&](double ratio) { return number.fixed(ratio * 100, 1); };
  return {.label = capitals(catalogue.say(loss_id(loss.outcome))),
          .pieces = {catalogue.say("diff.loss", {{"difference_ratio", loss.difference_ratio},
                                                 {"low", percent(loss.low_ratio)},
                                                 {"high", percent(loss.high_ratio)}}),
                     catalogue.say("diff.loss_limit", {{"limit_ratio", loss.limit_ratio}})}};
}

std::string signed_text(double value, int decimals, const NumberFormat& number) {
  const std::string text = number.fixed(value, decimals);
  const bool zero = text.find_first_not_of("0.,") == std::string::npos;
  return value > 0 && !zero ? "+" + text : text;
}

DiffRow diff_row(std::string name, std::int64_t before_ns, std::int64_t after_ns,
                 const std::optional<analysis::StepComparison>& test, const StepUnit& unit,
                 const Catalogue& catalogue) {
  const bool tells = test && test->more_than_noise;
  const NumberFormat& number = catalogue.number();
  const std::string missing = catalogue.say("table.not_measured");
  DiffRow row{.name = std::move(name), .before = missing, .after = missing, .change = "–"};
  if (before_ns >= 0) row.before = in_unit(static_cast<double>(before_ns), unit, number);
  if (after_ns >= 0) row.after = in_unit(static_cast<double>(after_ns), unit, number);
  if (before_ns < 0 || after_ns < 0) return row;
  const double change = static_cast<double>(after_ns - before_ns) / unit.size_ns;
  row.change = signed_text(change, unit.decimals, number);
  if (tells && row.change.starts_with('+')) row.sign = 1;
  if (tells && row.change.starts_with("−")) row.sign = -1;
  return row;
}

// Ten digits of a commit, as people know them; "-dirty" stays.
model::Message with_short_commits(model::Message message) {
  constexpr std::size_t kWholeCommit = 40;
  constexpr std::size_t kShown = 10;
  if (message.id != "compare.differs.commit") return message;
  for (auto& [name, value] : message.params.all) {
    auto* text = std::get_if<std::string>(&value);
    if (text != nullptr && text->size() >= kWholeCommit) {
      text->erase(kShown, kWholeCommit - kShown);
    }
  }
  return message;
}

// Zones, CPU time and, as their frame, the wall time of two runs without steps.
std::vector<DiffRow> whole_rows(const DiffInput& diff, const Catalogue& catalogue) {
  constexpr std::size_t kNameCells = 34;
  const diagnosis::Comparison& got = diff.comparison;
  const StepUnit unit = diff_unit(diff);
  std::vector<DiffRow> rows;
  for (const diagnosis::ZoneChange& zone : got.whole->zones) {
    rows.push_back(
        diff_row(cut_to(printable(catalogue.say("diff.zone", {{"zone", zone.name}})), kNameCells),
                 zone.before_ns, zone.after_ns, std::nullopt, unit, catalogue));
  }
  rows.push_back(diff_row(catalogue.say("diff.cpu"), got.whole->before_cpu_ns,
                          got.whole->after_cpu_ns, std::nullopt, unit, catalogue));
  rows.push_back(diff_row(catalogue.say("diff.wall"), got.before_wall_ns, got.after_wall_ns,
                          std::nullopt, unit, catalogue));
  return rows;
}

}  // namespace

std::string_view to_text(Outcome outcome) noexcept {
  switch (outcome) {
    case Outcome::kFaster:
      return "faster";
    case Outcome::kSlower:
      return "slower";
    case Outcome::kSame:
      return "same";
    case Outcome::kCannotTell:
      break;
  }
  return "cannot-tell";
}

StepUnit diff_unit(const DiffInput& diff) {
  const diagnosis::Comparison& got = diff.comparison;
  if (got.whole) return step_unit(std::max(got.before_wall_ns, got.after_wall_ns));
  return step_unit(std::max(got.before_step_ns, got.after_step_ns));
}

std::vector<DiffLine> diff_lines(const DiffInput& diff, const Catalogue& catalogue) {
  const diagnosis::Comparison& got = diff.comparison;
  std::vector<DiffLine> lines{step_line(diff, catalogue)};
  if (!got.not_comparable.empty()) {
    DiffLine why{.label = capitals(catalogue.say("diff.why")), .pieces = {}};
    for (const model::Message& message : got.not_comparable) {
      why.pieces.push_back(catalogue.say(message));
    }
    lines.push_back(std::move(why));
  }
  if (!got.cautions.empty()) {
    DiffLine caution{.label = capitals(catalogue.say("diff.caution")), .pieces = {}};
    for (const model::Message& message : got.cautions) {
      caution.pieces.push_back(catalogue.say(message));
    }
    lines.push_back(std::move(caution));
  }
  if (got.whole) {
    lines.push_back({.label = capitals(catalogue.say("diff.noise")),
                     .pieces = {catalogue.say("diff.one_run_each")}});
  }
  if (got.prediction) lines.push_back(prediction_line(*got.prediction, catalogue));
  if (got.loss) lines.push_back(loss_line(*got.loss, catalogue));
  if (got.step) {
    lines.push_back({.label = capitals(catalogue.say("diff.noise")),
                     .pieces = {catalogue.say(
                         "diff.detectable", {{"detectable_ratio", got.step->detectable_ratio}})}});
  }
  return lines;
}

std::vector<std::string> diff_changes(const DiffInput& diff, const Catalogue& catalogue) {
  std::vector<std::string> out;
  for (const model::Message& message : diff.comparison.differs) {
    out.push_back(catalogue.say(with_short_commits(message)));
  }
  if (out.empty()) out.push_back(catalogue.say("diff.nothing"));
  return out;
}

std::vector<DiffRow> diff_rows(const DiffInput& diff, const Catalogue& catalogue) {
  const diagnosis::Comparison& got = diff.comparison;
  if (got.whole) return whole_rows(diff, catalogue);
  std::vector<DiffRow> rows;
  if (got.before_step_ns <= 0 && got.after_step_ns <= 0) return rows;
  const StepUnit unit = diff_unit(diff);
  for (const diagnosis::PhaseChange& phase : got.phases) {
    // A phase that neither run has would be a row of n/a.
    if (phase.before_ns < 0 && phase.after_ns < 0) continue;
    rows.push_back(diff_row(catalogue.say("phase." + std::string(model::to_text(phase.phase))),
                            phase.before_ns, phase.after_ns, phase.test, unit, catalogue));
  }
  const auto known = [](std::int64_t ns) { return ns > 0 ? ns : model::kNotMeasured; };
  rows.push_back(diff_row(catalogue.say("table.step"), known(got.before_step_ns),
                          known(got.after_step_ns), got.step, unit, catalogue));
  return rows;
}

std::vector<std::string> gate_pieces(const DiffInput& diff, const Catalogue& catalogue) {
  if (!diff.gate) return {};
  return {catalogue.say("diff.gate", {{"code", std::int64_t{diff.gate->exit_code}},
                                      {"condition", diff.gate->condition}}),
          catalogue.say("diff.gate_codes")};
}

}  // namespace latido::report
