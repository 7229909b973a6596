// Random: a small seeded generator, so that an interval comes out the same on every machine and run.
#pragma once

#include <cstddef>
#include <cstdint>

namespace latido::analysis {

// SplitMix64: one addition and three xor-shift-multiplies a number; ample for resampling.
class Random {
 public:
  explicit Random(std::uint64_t seed) noexcept : state_(seed) {}

  std::uint64_t next() noexcept {
    state_ += 0x9E37'79B9'7F4A'7C15ULL;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30U)) * 0xBF58'476D'1CE4'E5B9ULL;
    z = (z ^ (z >> 27U)) * 0x94D0'49BB'1331'11EBULL;
    return z ^ (z >> 31U);
  }
  // 0 to n − 1. The 32 upper bits are multiplied: with n far below 2^32 the bias does not matter.
  std::size_t below(std::size_t n) noexcept {
    return static_cast<std::size_t>(((next() >> 32U) * static_cast<std::uint64_t>(n)) >> 32U);
  }
  // In [0, 1).
  double uniform() noexcept { return static_cast<double>(next() >> 11U) * 0x1.0p-53; }

 private:
  std::uint64_t state_;
};

}  // namespace latido::analysis
