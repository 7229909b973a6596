#include "store/chunk_codec.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <random>
#include <string_view>
#include <vector>

#include "store/batch_codec.h"

namespace latido::store {
namespace {

using Times = std::vector<std::int64_t>;
using Values = std::vector<double>;

std::vector<std::uint64_t> bits_of(const Values& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

TEST(ChunkCodec, KeepsTimesExactly) {
  struct Case {
    std::string_view name;
    Times times;
  };
  const std::vector<Case> cases{
      {"none", {}},
      {"one", {123}},
      {"even", {10, 20, 30, 40}},
      {"first is zero", {0, 5, 6}},
      {"unordered", {5, -7, 100, 3}},
      {"extremes", {INT64_MIN, INT64_MAX, INT64_MIN, 0, INT64_MAX}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = decode_times(encode_times(c.times));
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(got.value(), c.times);
  }
}

TEST(ChunkCodec, KeepsValuesBitByBit) {
  using limits = std::numeric_limits<double>;
  struct Case {
    std::string_view name;
    Values values;
  };
  const std::vector<Case> cases{
      {"none", {}},
      {"integers", {0, 1, -5, 9'007'199'254'740'992.0, 3}},
      {"fractions", {0.1, 0.25, -1e300, 1e-300}},
      {"two digits", {0.57, -12.01, 3, 0.1}},
      {"scaling comes late", {1, 2, 0.5, 0.25, 1e15}},
      {"negative zero", {0.0, -0.0, 1.0}},
      {"not numbers", {limits::quiet_NaN(), limits::infinity(), -limits::infinity(), 2.0}},
      {"beyond integers", {1e18, 9'007'199'254'740'994.0}},
      {"NaN with a payload", {std::bit_cast<double>(0x7FF8'0000'0000'1234ULL)}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const auto got = decode_values(encode_values(c.values));
    ASSERT_TRUE(got.has_value()) << got.error().message;
    EXPECT_EQ(bits_of(got.value()), bits_of(c.values));
  }
}

TEST(ChunkCodec, RejectsDamage) {
  const auto times = encode_times(Times{1, 2, 3});
  const auto values = encode_values(Values{1, 2, 3});
  for (std::size_t size = 0; size < times.size(); ++size) {
    EXPECT_FALSE(decode_times(std::span(times).first(size)).has_value()) << size;
  }
  for (std::size_t size = 0; size < values.size(); ++size) {
    EXPECT_FALSE(decode_values(std::span(values).first(size)).has_value()) << size;
  }
  auto wrong_count = times;
  wrong_count[0] = std::byte{2};
  EXPECT_FALSE(decode_times(wrong_count).has_value());
  auto wrong_mode = values;
  wrong_mode[1] = std::byte{9};
  EXPECT_FALSE(decode_values(wrong_mode).has_value());
}

// What a sampler at 1 Hz sees; its wake-ups jitter by up to 0.2 ms.
struct Kind {
  std::string_view name;
  double budget_bytes;  // a point, values only
  Values values;
};

std::vector<Kind> realistic_series(std::size_t points) {
  std::mt19937_64 random(11);
  std::normal_distribution<double> noise;
  Values cpu;
  Values rss;
  Values ratio;
  Values loss;
  double cpu_ns = 0;
  for (std::size_t i = 0; i < points; ++i) {
    cpu_ns += 1e7 * std::floor(80 + 10 * noise(random));  // kernel ticks of 10 ms
    cpu.push_back(cpu_ns);
    rss.push_back(4096 * std::floor(250'000 + 40 * static_cast<double>(i) + 20 * noise(random)));
    ratio.push_back(std::round(50 + 20 * noise(random)) / 100);
    loss.push_back(static_cast<double>(static_cast<float>(2 + 0.1 * noise(random))));
  }
  Values any;
  for (std::size_t i = 0; i < points; ++i) any.push_back(noise(random));
  return {{"counter of CPU time", 4, cpu},
          {"random doubles", 8.2, any},
          {"resident memory", 4, rss},
          {"PSI ratio with two digits", 2, ratio},
          {"float32 loss", 5, loss}};
}

TEST(ChunkCodec, KeepsRealisticSeriesBelowFiveBytesAPoint) {
  constexpr std::size_t kPoints = 1024;
  std::mt19937_64 random(3);
  Times times;
  for (std::size_t i = 0; i < kPoints; ++i) {
    times.push_back(static_cast<std::int64_t>(1'000'000'000 * i + random() % 200'000));
  }
  const auto per_point = [](std::size_t bytes) {
    return static_cast<double>(bytes) / static_cast<double>(kPoints);
  };
  // 18 bits of jitter cannot be compressed; all series of one sampler share them.
  EXPECT_LT(per_point(encode_times(times).size()), 3.2);
  RecordProperty("times", std::to_string(per_point(encode_times(times).size())));
  for (const Kind& kind : realistic_series(kPoints)) {
    SCOPED_TRACE(kind.name);
    const double bytes = per_point(encode_values(kind.values).size());
    EXPECT_LT(bytes, kind.budget_bytes);
    RecordProperty(std::string(kind.name), std::to_string(bytes));
  }
}

TEST(BatchCodec, KeepsSamplesInOrder) {
  const std::vector<model::Sample> samples{{model::SeriesId{3}, 1'000, 0.5},
                                           {model::SeriesId{0}, -4, -0.0},
                                           {model::SeriesId{4'000'000'000U}, INT64_MAX, 1e300}};
  const auto bytes = encode_batch(samples);
  const auto got = decode_batch(bytes);
  ASSERT_TRUE(got.has_value());
  EXPECT_EQ(got.value(), samples);
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    EXPECT_FALSE(decode_batch(std::span(bytes).first(size)).has_value()) << size;
  }
}

TEST(BatchCodec, WritesTheDocumentedBytes) {
  const std::vector<model::Sample> samples{{model::SeriesId{3}, 1'000, 0.5}};
  const std::vector<std::uint8_t> want{1, 6, 0xD0, 0x0F, 0, 0, 0, 0, 0, 0, 0xE0, 0x3F};
  std::vector<std::uint8_t> got;
  for (const std::byte b : encode_batch(samples)) got.push_back(std::to_integer<std::uint8_t>(b));
  EXPECT_EQ(got, want);
}

}  // namespace
}  // namespace latido::store
