#include "report/function_pieces.h"

#include <algorithm>

#include "report/text_layout.h"

namespace latido::report {

std::int64_t own_times_are_of_ns(const analysis::RunFacts& facts,
                                 const analysis::RankFacts& rank) noexcept {
  return std::max<std::int64_t>(
      rank.sampled_steps_ns > 0 ? rank.sampled_steps_ns : facts.run.wall_ns(), 1);
}

std::string own_time_heading(const analysis::RunFacts& facts, const analysis::RankFacts& rank,
                             const Catalogue& catalogue) {
  return catalogue.say(rank.sampled_steps_ns > 0 ? "functions.self_steps" : "functions.self",
                       {{"wall_ns", own_times_are_of_ns(facts, rank)}});
}

std::vector<std::string> function_pieces(const analysis::RunFacts& facts,
                                         const analysis::RankFacts& rank,
                                         const Catalogue& catalogue) {
  const auto count = static_cast<std::int64_t>(rank.function_counts.recorded);
  const auto elided = static_cast<std::int64_t>(rank.function_counts.elided);
  std::vector<std::string> out{own_time_heading(facts, rank, catalogue)};
  if (elided > 0) {
    out.push_back(catalogue.say("functions.count_elided", {{"count", count}, {"elided", elided}}));
  } else if (count > 0) {
    out.push_back(catalogue.say("functions.count", {{"count", count}}));
  }
  const auto excluded = static_cast<std::int64_t>(rank.function_counts.excluded);
  if (nothing_matched(rank)) {
    out.push_back(catalogue.say("functions.nothing_matched", {{"excluded", excluded}}));
  } else if (excluded > 0) {
    out.push_back(catalogue.say("functions.excluded", {{"excluded", excluded}}));
  }
  if (!facts.calls.empty()) {
    const model::SamplingCounts& counts = facts.calls.counts;
    const auto samples = static_cast<std::int64_t>(
        rank.sampled_steps_ns > 0 ? counts.from_first_step : counts.samples);
    out.push_back(catalogue.say("functions.samples", {{"samples", samples}}));
  }
  return out;
}

bool nothing_matched(const analysis::RankFacts& rank) noexcept {
  return rank.function_counts.recorded == 0 && rank.function_counts.excluded > 0;
}

std::string function_calls(const analysis::FunctionTime& function, const analysis::RankFacts& rank,
                           const Catalogue& catalogue) {
  if (function.calls == 0) return catalogue.say("functions.sampled");
  const analysis::FunctionCounts& counts = rank.function_counts;
  std::string text = function.elided || counts.in_windows || counts.some_dropped ? "≥ " : "";
  text += catalogue.say("zones.calls", {{"calls", static_cast<std::int64_t>(function.calls)}});
  if (function.elided) text += ", " + catalogue.say("functions.elided");
  return text;
}

std::string fitting_place(const std::string& place, std::size_t cells) {
  if (cell_width(place) <= cells) return place;
  for (std::size_t slash = place.find('/', 1); slash != std::string::npos;
       slash = place.find('/', slash + 1)) {
    std::string rest = "…" + place.substr(slash);
    if (cell_width(rest) <= cells) return rest;
  }
  const std::size_t slash = place.rfind('/');
  return slash == std::string::npos ? place : place.substr(slash + 1);
}

std::string elided_note(const analysis::RunFacts& facts, const analysis::RankFacts& rank,
                        const Catalogue& catalogue) {
  if (rank.function_counts.in_windows) {
    return catalogue.say(facts.calls.empty() ? "functions.windows_note"
                                             : "functions.windows_note_sampled");
  }
  if (rank.function_counts.elided == 0) return {};
  return catalogue.say(facts.calls.empty() ? "functions.elided_note"
                                           : "functions.elided_note_sampled");
}

}  // namespace latido::report
