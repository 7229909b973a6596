#include "store/batch_codec.h"

#include <bit>
#include <cassert>

#include "store/varint.h"

namespace latido::store {
namespace {

constexpr std::size_t kValueBytes = 8;
constexpr std::size_t kMinSampleBytes = 2 + kValueBytes;

}  // namespace

std::vector<std::byte> encode_batch(std::span<const model::Sample> samples) {
  assert(samples.size() <= kMaxBatchSamples);
  std::vector<std::byte> out;
  out.reserve(16 + 14 * samples.size());
  put_varint(out, samples.size());
  std::uint64_t series_before = 0;
  std::uint64_t ns_before = 0;
  for (const model::Sample& sample : samples) {
    const auto series = static_cast<std::uint64_t>(sample.series);
    const auto ns = static_cast<std::uint64_t>(sample.ts_ns);
    put_varint(out, zigzag(series - series_before));
    put_varint(out, zigzag(ns - ns_before));
    const auto bits = std::bit_cast<std::uint64_t>(sample.value);
    for (std::size_t k = 0; k < kValueBytes; ++k) {
      out.push_back(static_cast<std::byte>(bits >> (8 * k)));
    }
    series_before = series;
    ns_before = ns;
  }
  return out;
}

Result<std::vector<model::Sample>> decode_batch(std::span<const std::byte> bytes) {
  const Error damaged{ErrorCode::kDataLoss, "a batch of samples is damaged"};
  VarintReader reader(bytes);
  const std::uint64_t count = reader.next();
  if (reader.failed() || count > kMaxBatchSamples || count > bytes.size() / kMinSampleBytes) {
    return damaged;
  }
  std::vector<model::Sample> samples(count);
  std::uint64_t series = 0;
  std::uint64_t ns = 0;
  for (model::Sample& sample : samples) {
    series += unzigzag(reader.next());
    ns += unzigzag(reader.next());
    const auto value = reader.rest();
    if (reader.failed() || value.size() < kValueBytes || series > UINT32_MAX) return damaged;
    std::uint64_t bits = 0;
    for (std::size_t k = 0; k < kValueBytes; ++k) {
      bits |= std::to_integer<std::uint64_t>(value[k]) << (8 * k);
    }
    reader.skip(kValueBytes);
    sample = {static_cast<model::SeriesId>(series), static_cast<std::int64_t>(ns),
              std::bit_cast<double>(bits)};
  }
  if (!reader.rest().empty()) return damaged;
  return samples;
}

}  // namespace latido::store
