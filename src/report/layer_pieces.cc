#include "report/layer_pieces.h"

#include <array>
#include <string_view>

namespace latido::report {
namespace {

constexpr std::string_view kNoBreak = "\u00A0";

// 1.3e9 and "FLOP" → "1.3 GFLOP".
std::string in_powers(double value, std::string_view unit, const Catalogue& catalogue) {
  constexpr std::array<std::string_view, 7> kPrefixes{"", "k", "M", "G", "T", "P", "E"};
  std::size_t power = 0;
  while (value >= 999.5 && power + 1 < kPrefixes.size()) {
    value /= 1000;
    ++power;
  }
  std::string text = value == 0 ? "0" : catalogue.number().compact(value);
  const std::string suffix = std::string(kPrefixes[power]) + std::string(unit);
  if (!suffix.empty()) text += std::string(kNoBreak) + suffix;
  return text;
}

std::string not_measured(const Catalogue& catalogue) { return catalogue.say("table.not_measured"); }

}  // namespace

std::string flops_per_s_text(const analysis::LayerTime& layer, const Catalogue& catalogue) {
  const auto rate = own_flops_per_s(layer);
  return rate ? in_powers(*rate, "FLOP/s", catalogue) : std::string();
}

std::string flops_text(std::int64_t flops, const Catalogue& catalogue) {
  if (flops == model::kNotMeasured) return not_measured(catalogue);
  return in_powers(static_cast<double>(flops), "FLOP", catalogue);
}

std::string count_text(std::int64_t count, const Catalogue& catalogue) {
  if (count == model::kNotMeasured) return not_measured(catalogue);
  return in_powers(static_cast<double>(count), "", catalogue);
}

std::string bytes_text(std::int64_t bytes, const Catalogue& catalogue) {
  if (bytes == model::kNotMeasured) return not_measured(catalogue);
  return catalogue.number().bytes(static_cast<double>(bytes));
}

std::string row_name(const LayerRow& row) {
  return row.count == 1 ? row.name : row.name + " ×" + std::to_string(row.count);
}

std::string row_name_by_itself(const LayerRow& row) {
  const std::size_t dot = row.name.rfind('.');
  const std::string last = row.name.substr(dot == std::string::npos ? 0 : dot + 1);
  const bool says_nothing =
      last == "*" || last.find_first_not_of("0123456789") == std::string::npos;
  if (!says_nothing || row.kind.empty()) return row_name(row);
  LayerRow with_class = row;
  with_class.name += " " + row.kind;
  return row_name(with_class);
}

double own_share(const analysis::LayerFacts& facts, const analysis::LayerTime& layer) {
  if (facts.sampled_mean_ns <= 0) return 0;
  return static_cast<double>(layer.self_ns()) / static_cast<double>(facts.sampled_mean_ns);
}

std::vector<std::string> layer_pieces(const analysis::LayerFacts& facts,
                                      const Catalogue& catalogue) {
  if (facts.layers.empty()) return {};
  const auto steps = static_cast<std::int64_t>(facts.timed_steps);
  return {catalogue.say("layers.self", {{"wall_ns", facts.sampled_mean_ns}}),
          catalogue.say("layers.steps", {{"steps", steps}})};
}

std::vector<std::string> model_pieces(const analysis::LayerFacts& facts,
                                      const Catalogue& catalogue) {
  std::vector<std::string> out;
  for (const analysis::LayerTime* const model : models_of(facts)) {
    std::string text =
        model->model + ": " +
        catalogue.say("layers.model", {{"forward_ns", model->forward_ns},
                                       {"backward_ns", model->backward_ns},
                                       {"parameters", count_text(model->parameters, catalogue)}});
    if (facts.counted_steps > 0) {
      const std::int64_t flops = model->forward_flops + model->backward_flops;
      text += ", " + catalogue.say("layers.model_counts",
                                   {{"flops", flops_text(flops, catalogue)},
                                    {"kept", bytes_text(model->activation_bytes, catalogue)}});
    }
    out.push_back(std::move(text));
  }
  return out;
}

std::vector<std::string> layer_notes(const analysis::RankFacts& rank, const Catalogue& catalogue) {
  std::vector<std::string> out;
  for (const std::string& note : rank.layers.notes) {
    // One that this version does not know is left out: it comes from the recorded program.
    if (auto text = catalogue.try_say("layers.note." + note, {})) out.push_back(std::move(*text));
  }
  if (rank.sampled_steps_left_out > 0) {
    const auto count = static_cast<std::int64_t>(rank.sampled_steps_left_out);
    out.push_back(catalogue.say("layers.left_out", {{"count", count}}));
  }
  return out;
}

}  // namespace latido::report
