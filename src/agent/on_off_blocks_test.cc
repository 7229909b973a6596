#include "agent/on_off_blocks.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace latido::agent {
namespace {

// The lengths of the turns of 200 s, asked each 10 ms.
std::vector<std::int64_t> turns(std::uint64_t seed) {
  constexpr std::int64_t kLook_ns = 10'000'000;
  OnOffBlocks blocks(seed);
  std::vector<std::int64_t> lengths;
  bool last = blocks.is_on(kLook_ns);
  EXPECT_TRUE(last) << "the first is on";
  std::int64_t since_ns = kLook_ns;
  for (std::int64_t now_ns = 2 * kLook_ns; now_ns < 200'000'000'000; now_ns += kLook_ns) {
    if (blocks.is_on(now_ns) == last) continue;
    last = !last;
    lengths.push_back(now_ns - since_ns);
    since_ns = now_ns;
  }
  return lengths;
}

TEST(OnOffBlocks, TakeTurnsOfManyLengthsWithinBounds) {
  const std::vector<std::int64_t> lengths = turns(1);
  EXPECT_GT(lengths.size(), 150U);
  for (const std::int64_t length_ns : lengths) {
    EXPECT_GE(length_ns, OnOffBlocks::kShortest_ns);
    EXPECT_LE(length_ns, OnOffBlocks::kLongest_ns + 10'000'000);
  }
  EXPECT_GT(std::set(lengths.begin(), lengths.end()).size(), 50U);
}

TEST(OnOffBlocks, DifferBySeed) { EXPECT_NE(turns(1), turns(2)); }

}  // namespace
}  // namespace latido::agent
