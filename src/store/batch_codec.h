// Codec of a batch: the samples of one ingest, of many series, as they came.
//
// Pure. What SqliteSeriesStore keeps until it seals; a sender's batch has the same form.
//   varint count | per sample: zigzag varint series (difference to the one before) |
//                  zigzag varint ns (difference) | 8 bytes of the double, little-endian
// Example: series 3 at 1,000 ns is 0.5: 01 06 D0 0F 00 00 00 00 00 00 E0 3F.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/sample.h"

namespace latido::store {

inline constexpr std::size_t kMaxBatchSamples = 1U << 20U;

// At most kMaxBatchSamples.
std::vector<std::byte> encode_batch(std::span<const model::Sample> samples);

// kDataLoss when the bytes are no batch. Bit-exact, in the same order.
Result<std::vector<model::Sample>> decode_batch(std::span<const std::byte> bytes);

}  // namespace latido::store
