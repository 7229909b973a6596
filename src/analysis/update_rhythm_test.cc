#include "analysis/update_rhythm.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace latido::analysis {
namespace {

// One letter an optimizer; the result has a '|' after each update that ends a step.
std::string cut(const std::string& updates, bool ended = true) {
  std::vector<std::uint32_t> ids;
  std::vector<std::uint32_t> first_seen;
  std::vector<bool> first;
  for (const char letter : updates) {
    const auto id = static_cast<std::uint32_t>(letter);
    ids.push_back(id);
    const bool seen = std::find(first_seen.begin(), first_seen.end(), id) != first_seen.end();
    first.push_back(!seen && !first_seen.empty());
    if (!seen) first_seen.push_back(id);
  }
  std::string result;
  for (std::size_t i = 0; i < ids.size(); ++i) {
    result += updates[i];
    if (ends_step({.optimizers = ids,
                   .at = i,
                   .ended = ended,
                   .first_of_optimizer = first[i],
                   .first_seen = first_seen})) {
      result += '|';
    }
  }
  return result;
}

std::string times(int n, const std::string& text) {
  std::string result;
  for (int i = 0; i < n; ++i) result += text;
  return result;
}

TEST(UpdateRhythm, TheLeastFrequentOfThoseThatTakeTurnsEndsTheStep) {
  struct Case {
    std::string name;
    std::string updates;
    std::string want;
  };
  for (const Case& c : {
           Case{"one optimizer", times(5, "a"), times(5, "a|")},
           Case{"equals: the later one", times(40, "dg"), times(40, "dg|")},
           Case{"3 to 1", times(20, "dddg"), times(20, "dddg|")},
           Case{"1 to 3", times(20, "gddd"), times(19, "g|ddd") + "g|ddd"},
           Case{"7 to 1", times(20, "dddddddg"), times(20, "dddddddg|")},
           Case{"an unfinished round is no step", times(20, "dg") + "d", times(20, "dg|") + "d"},
           Case{"three in turn", times(30, "abc"), times(30, "abc|")},
           Case{"one after the other", times(20, "a") + times(20, "b"),
                times(20, "a|") + times(20, "b|")},
           Case{"a short one between two", times(60, "a") + "bbbbb" + times(60, "c"),
                times(60, "a|") + times(5, "b|") + times(60, "c|")},
           Case{"less than once in 8 never", times(10, "ddddddddddddg"),
                times(10, times(12, "d|") + "g")},
           Case{"hardly ever", times(50, "a") + "b" + times(50, "a"),
                times(50, "a|") + "b" + times(50, "a|")},
       }) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(cut(c.updates), c.want);
  }
}

TEST(UpdateRhythm, PretrainingOfOneIsCutByItself) {
  const std::string got = cut(times(100, "d") + times(60, "dg"));
  // Where the turns begin a few updates may go either way.
  EXPECT_EQ(got.substr(0, 180), times(90, "d|"));
  EXPECT_EQ(got.substr(got.size() - 120), times(40, "dg|"));
}

}  // namespace
}  // namespace latido::analysis
