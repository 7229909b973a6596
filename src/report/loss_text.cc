#include "report/loss_text.h"

#include <cmath>

namespace latido::report {

std::string loss_note(const analysis::RankFacts& rank, const Catalogue& catalogue) {
  constexpr double kSeveral = 1.05;
  const double backwards = backwards_per_step(rank);
  if (backwards < kSeveral) return {};
  const double whole = std::round(backwards);
  const int decimals = std::abs(backwards - whole) < 0.05 ? 0 : 1;
  return catalogue.say("rate.loss_each",
                       {{"backwards", catalogue.number().fixed(backwards, decimals)}});
}

std::string loss_text(const analysis::RankFacts& rank, const LossChange& change,
                      const Catalogue& catalogue) {
  const NumberFormat& number = catalogue.number();
  const std::string text =
      catalogue.say("rate.loss", {{"before", number.significant(change.first, 3)},
                                  {"after", number.significant(change.last, 3)}});
  const std::string note = loss_note(rank, catalogue);
  return note.empty() ? text : text + " (" + note + ")";
}

}  // namespace latido::report
