#include "store/chunk_codec.h"

#include <zstd.h>

#include <array>
#include <bit>
#include <cassert>
#include <cmath>

#include "store/varint.h"

namespace latido::store {
namespace {

constexpr int kZstdLevel = 1;  // level 3 gains at most 2 %
constexpr std::size_t kMaxVarintBytes = 10;
constexpr std::size_t kMaxColumnBytes = kMaxChunkPoints * kMaxVarintBytes;
// Modes 0 to 6: integers after multiplying by 10^mode. Counters are integers, ratios read from the
// kernel's files have two to four digits.
constexpr std::array<double, 7> kPowersOfTen{1, 10, 100, 1e3, 1e4, 1e5, 1e6};
constexpr std::uint8_t kXorMode = 16;

void append_zstd(std::vector<std::byte>& out, std::span<const std::byte> raw) {
  const std::size_t at = out.size();
  out.resize(at + ::ZSTD_compressBound(raw.size()));
  const std::size_t size =
      ::ZSTD_compress(&out[at], out.size() - at, raw.data(), raw.size(), kZstdLevel);
  assert(::ZSTD_isError(size) == 0);  // the bound was kept
  out.resize(at + size);
}

Error damaged(const char* what) {
  return {ErrorCode::kDataLoss, "a chunk of a series is damaged: " + std::string(what)};
}

Result<std::vector<std::byte>> expand(std::span<const std::byte> bytes) {
  std::vector<std::byte> raw(kMaxColumnBytes);
  const std::size_t size = ::ZSTD_decompress(raw.data(), raw.size(), bytes.data(), bytes.size());
  if (::ZSTD_isError(size) != 0) return damaged("not zstd, or too long");
  raw.resize(size);
  return raw;
}

// Whether the value survives a trip through int64: no -0, no NaN, within 2^53.
bool is_decimal(double value, double scale) noexcept {
  constexpr double kLimit = 9'007'199'254'740'992.0;
  if (!(std::abs(value * scale) <= kLimit)) return false;
  const double back = static_cast<double>(std::llround(value * scale)) / scale;
  return std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(value);
}

// The smallest mode that keeps every bit.
std::uint8_t choose_mode(std::span<const double> values) noexcept {
  std::uint8_t mode = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    while (!is_decimal(values[i], kPowersOfTen[mode])) {
      if (++mode == kPowersOfTen.size()) return kXorMode;
      i = 0;  // the ones before must survive the larger scale too
    }
  }
  return mode;
}

std::vector<std::byte> decimal_column(std::span<const double> values, double scale) {
  std::vector<std::byte> raw;
  std::uint64_t before = 0;
  for (const double value : values) {
    const auto now = static_cast<std::uint64_t>(std::llround(value * scale));
    put_varint(raw, zigzag(now - before));
    before = now;
  }
  return raw;
}

std::vector<std::byte> xor_column(std::span<const double> values) {
  std::vector<std::byte> raw(8 * values.size());
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < values.size(); ++i) {
    const auto now = std::bit_cast<std::uint64_t>(values[i]);
    for (std::size_t k = 0; k < 8; ++k) {
      raw[k * values.size() + i] = static_cast<std::byte>((now ^ before) >> (8 * k));
    }
    before = now;
  }
  return raw;
}

Result<std::vector<double>> from_decimal_column(std::span<const std::byte> raw, std::size_t count,
                                                double scale) {
  VarintReader reader(raw);
  std::vector<double> values(count);
  std::uint64_t before = 0;
  for (double& value : values) {
    before += unzigzag(reader.next());
    value = static_cast<double>(static_cast<std::int64_t>(before)) / scale;
  }
  if (reader.failed() || !reader.rest().empty()) return damaged("wrong number of values");
  return values;
}

Result<std::vector<double>> from_xor_column(std::span<const std::byte> raw, std::size_t count) {
  if (raw.size() != 8 * count) return damaged("wrong number of values");
  std::vector<double> values(count);
  std::uint64_t before = 0;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t k = 0; k < 8; ++k) {
      before ^= std::to_integer<std::uint64_t>(raw[k * count + i]) << (8 * k);
    }
    values[i] = std::bit_cast<double>(before);
  }
  return values;
}

}  // namespace

std::vector<std::byte> encode_times(std::span<const std::int64_t> times_ns) {
  assert(times_ns.size() <= kMaxChunkPoints);
  std::vector<std::byte> raw;
  std::uint64_t before = 0;
  std::uint64_t delta_before = 0;
  for (std::size_t i = 0; i < times_ns.size(); ++i) {
    const auto now = static_cast<std::uint64_t>(times_ns[i]);
    const std::uint64_t delta = now - before;
    put_varint(raw, zigzag(delta - delta_before));
    before = now;
    delta_before = i == 0 ? 0 : delta;  // the first is the time itself, not a step
  }
  std::vector<std::byte> out;
  put_varint(out, times_ns.size());
  append_zstd(out, raw);
  return out;
}

Result<std::vector<std::int64_t>> decode_times(std::span<const std::byte> bytes) {
  VarintReader head(bytes);
  const std::uint64_t count = head.next();
  if (head.failed() || count > kMaxChunkPoints) return damaged("count of times");
  const auto raw = expand(head.rest());
  if (!raw.has_value()) return raw.error();
  VarintReader reader(raw.value());
  std::vector<std::int64_t> times(count);
  std::uint64_t now = 0;
  std::uint64_t delta = 0;
  for (std::size_t i = 0; i < count; ++i) {
    delta += unzigzag(reader.next());
    now += delta;
    times[i] = static_cast<std::int64_t>(now);
    if (i == 0) delta = 0;
  }
  if (reader.failed() || !reader.rest().empty()) return damaged("wrong number of times");
  return times;
}

std::vector<std::byte> encode_values(std::span<const double> values) {
  assert(values.size() <= kMaxChunkPoints);
  const std::uint8_t mode = choose_mode(values);
  std::vector<std::byte> out;
  put_varint(out, values.size());
  out.push_back(std::byte{mode});
  append_zstd(out,
              mode == kXorMode ? xor_column(values) : decimal_column(values, kPowersOfTen[mode]));
  return out;
}

Result<std::vector<double>> decode_values(std::span<const std::byte> bytes) {
  VarintReader head(bytes);
  const std::uint64_t count = head.next();
  if (head.failed() || count > kMaxChunkPoints || head.rest().empty()) {
    return damaged("count of values");
  }
  const auto mode = std::to_integer<std::uint8_t>(head.rest().front());
  const auto raw = expand(head.rest().subspan(1));
  if (!raw.has_value()) return raw.error();
  if (mode == kXorMode) return from_xor_column(raw.value(), count);
  if (mode < kPowersOfTen.size()) {
    return from_decimal_column(raw.value(), count, kPowersOfTen[mode]);
  }
  return damaged("unknown mode");
}

}  // namespace latido::store
