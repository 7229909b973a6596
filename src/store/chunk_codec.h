// Codec of time series at rest: a column of times and a column of values, compressed apart, since
// series that are sampled together share their times.
//
// Pure. Used by SqliteSeriesStore when it seals; docs/formats/run-folder.md has a worked example.
//   times:  varint count | zstd(zigzag varints: first, first delta, then differences of deltas)
//   values: varint count | mode | zstd(…)
//           mode 0 to 6: zigzag varint deltas of value * 10^mode; mode 16: XOR with the value before,
//           first byte 0 of all, then byte 1, …, 7
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"

namespace latido::store {

inline constexpr std::size_t kMaxChunkPoints = 4096;

// At most kMaxChunkPoints each.
std::vector<std::byte> encode_times(std::span<const std::int64_t> times_ns);
std::vector<std::byte> encode_values(std::span<const double> values);

// kDataLoss when the bytes are no such column. Bit-exact.
Result<std::vector<std::int64_t>> decode_times(std::span<const std::byte> bytes);
Result<std::vector<double>> decode_values(std::span<const std::byte> bytes);

}  // namespace latido::store
