#include "report/function_pieces.h"

namespace latido::report {

std::vector<std::string> function_pieces(const analysis::RunFacts& facts,
                                         const analysis::RankFacts& rank,
                                         const Catalogue& catalogue) {
  const auto count = static_cast<std::int64_t>(rank.function_counts.recorded);
  const auto elided = static_cast<std::int64_t>(rank.function_counts.elided);
  std::vector<std::string> out{catalogue.say("functions.self", {{"wall_ns", facts.run.wall_ns()}})};
  if (elided > 0) {
    out.push_back(catalogue.say("functions.count_elided", {{"count", count}, {"elided", elided}}));
  } else if (count > 0) {
    out.push_back(catalogue.say("functions.count", {{"count", count}}));
  }
  if (!facts.calls.empty()) {
    const auto samples = static_cast<std::int64_t>(facts.calls.counts.samples);
    out.push_back(catalogue.say("functions.samples", {{"samples", samples}}));
  }
  return out;
}

std::string function_calls(const analysis::FunctionTime& function, const Catalogue& catalogue) {
  if (function.calls == 0) return catalogue.say("functions.sampled");
  std::string text =
      catalogue.say("zones.calls", {{"calls", static_cast<std::int64_t>(function.calls)}});
  if (function.elided) text += ", " + catalogue.say("functions.elided");
  return text;
}

std::string elided_note(const analysis::RunFacts& facts, const analysis::RankFacts& rank,
                        const Catalogue& catalogue) {
  if (rank.function_counts.elided == 0) return {};
  return catalogue.say(facts.calls.empty() ? "functions.elided_note"
                                           : "functions.elided_note_sampled");
}

}  // namespace latido::report
