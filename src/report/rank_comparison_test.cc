#include "report/rank_comparison.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "report/markdown.h"
#include "report/terminal.h"

namespace latido::report {
namespace {

constexpr std::int64_t kNone = model::kNotMeasured;

struct RankTimes {
  double forward_ms;
  double backward_ms;
  double other_ms;
};

// Ranks with a gap of their own in "other", as torchrun shows them.
analysis::RunFacts facts_of(const std::vector<RankTimes>& ranks) {
  const auto ms = [](double value) { return std::llround(value * 1e6); };
  analysis::RunFacts facts;
  std::int32_t number = 0;
  for (const RankTimes& times : ranks) {
    analysis::RankFacts& rank = facts.ranks.emplace_back();
    rank.rank = number++;
    const std::array<std::int64_t, model::kPhaseCount> means{
        kNone, kNone,   ms(times.forward_ms), ms(times.backward_ms),
        kNone, ms(0.5), ms(times.other_ms)};
    for (std::size_t i = 0; i < means.size(); ++i) {
      rank.phases[i].mean_ns = means[i];
      rank.stats.mean_ns += std::max<std::int64_t>(means[i], 0);
    }
    rank.stats.count = 100;
  }
  return facts;
}

RankComparison compared(const analysis::RunFacts& facts) {
  return compare_ranks(facts, *summarise_steps(facts)).value();
}

TEST(RankComparison, FindsTheRankThatTheOthersWaitForThoughStepsAreEqual) {
  const struct {
    const char* name;
    std::vector<RankTimes> ranks;
    bool straggles;
    std::int32_t slowest;
  } cases[] = {
      {"one of two", {{0.8, 24.9, 0.2}, {0.8, 4.6, 20.2}}, true, 1},
      {"one of four", {{1, 20, 1}, {1, 20, 1}, {15, 5, 1}, {1, 20, 1}}, true, 2},
      {"two of four", {{1, 20, 1}, {15, 5, 1}, {15, 5, 1}, {1, 20, 1}}, false, 1},
      {"even", {{1, 20, 1}, {1.2, 19.9, 1}}, false, 1},
      {"unequal and nobody waits", {{1, 20, 1}, {9, 20, 1}}, true, 1},
      {"longer backward is none of its own", {{1, 20, 1}, {1, 28, 1}}, false, 0},
  };
  for (const auto& c : cases) {
    const analysis::RunFacts facts = facts_of(c.ranks);
    const RankComparison got = compared(facts);
    EXPECT_EQ(got.straggles, c.straggles) << c.name;
    if (c.straggles) {
      EXPECT_EQ(got.slowest->rank, c.slowest) << c.name;
    }
  }
}

TEST(RankComparison, NamesThePhaseAndWhoWaits) {
  const analysis::RunFacts facts = facts_of({{0.8, 24.9, 0.2}, {0.8, 4.6, 20.2}});
  EXPECT_EQ(compared(facts).phase, model::Phase::kOther);
  const std::string terminal = render_terminal(facts, {}, {.columns = 200});
  const std::string markdown = render_markdown(facts, {}, Language::kEnglish, 0.01);
  for (const std::string& text : {terminal, markdown}) {
    EXPECT_NE(text.find("r1 is the straggler: other 20.2 ms against 0.2 of r0"), std::string::npos)
        << text;
    EXPECT_NE(text.find("r0 waits for it in backward: 24.9 ms against 4.6"), std::string::npos)
        << text;
    EXPECT_EQ(text.find("no straggler"), std::string::npos) << text;
  }
}

TEST(RankComparison, SaysNothingOfRanksWithoutSteps) {
  analysis::RunFacts facts = facts_of({{1, 20, 1}});
  facts.ranks.emplace_back();  // the launcher
  EXPECT_FALSE(compare_ranks(facts, *summarise_steps(facts)).has_value());
}

}  // namespace
}  // namespace latido::report
