#include "report/function_pieces.h"

namespace latido::report {

std::vector<std::string> function_pieces(const analysis::RunFacts& facts,
                                         const analysis::RankFacts& rank,
                                         const Catalogue& catalogue) {
  const auto count = static_cast<std::int64_t>(rank.function_counts.recorded);
  const auto elided = static_cast<std::int64_t>(rank.function_counts.elided);
  return {catalogue.say("functions.self", {{"wall_ns", facts.run.wall_ns()}}),
          elided == 0
              ? catalogue.say("functions.count", {{"count", count}})
              : catalogue.say("functions.count_elided", {{"count", count}, {"elided", elided}})};
}

}  // namespace latido::report
