#include "report/series_pieces.h"

#include <algorithm>
#include <cstdint>

#include "report/run_summary.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

// "queue_length 3 → 7"; "queue_length 3" when there was one value.
std::string series_text(const analysis::LoggedSeries& series, const NumberFormat& number) {
  constexpr std::size_t kLongestName = 24;
  std::string text =
      cut_to(printable(series.name), kLongestName) + "\u00A0" + number.significant(series.first, 3);
  if (series.count > 1) text += "\u00A0→\u00A0" + number.significant(series.last, 3);
  return text;
}

}  // namespace

std::vector<std::string> series_pieces(const analysis::RunFacts& facts,
                                       const Catalogue& catalogue) {
  constexpr std::size_t kMostNames = 4;
  std::vector<std::string> out;
  const analysis::RankFacts* lead = lead_rank(facts);
  if (lead == nullptr) return out;
  const std::size_t shown = std::min(kMostNames, lead->series.size());
  for (std::size_t i = 0; i < shown; ++i) {
    const std::string text = series_text(lead->series[i], catalogue.number());
    out.push_back(i == 0 ? catalogue.say("rate.series", {{"series", text}}) : text);
  }
  const bool beyond = lead->series_beyond > 0;
  const auto more = static_cast<std::int64_t>(lead->series.size() - shown) + (beyond ? 1 : 0);
  if (more > 0) {
    // How many names lie beyond what is kept is not known.
    out.push_back(
        catalogue.say(beyond ? "rate.series_more_beyond" : "rate.series_more", {{"count", more}}));
  }
  return out;
}

}  // namespace latido::report
