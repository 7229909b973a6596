// OnOffBlocks: when to record all detail and when only the steps, by turns of random length, so that the
// steps themselves tell what the detail costs. Pure and seeded; asked by Agent at each drain.
//
// Random, since a program may have a rhythm of its own that regular turns would follow.
#pragma once

#include <cstdint>
#include <random>

namespace latido::agent {

class OnOffBlocks {
 public:
  static constexpr std::int64_t kShortest_ns = 500'000'000;
  static constexpr std::int64_t kLongest_ns = 1'500'000'000;

  explicit OnOffBlocks(std::uint64_t seed) : random_(seed) {}

  // Whether detail is on at `now_ns`, which never goes back.
  bool is_on(std::int64_t now_ns);

 private:
  std::mt19937_64 random_;
  std::int64_t until_ns_ = 0;  // 0: not asked yet
  bool on_ = false;
};

}  // namespace latido::agent
