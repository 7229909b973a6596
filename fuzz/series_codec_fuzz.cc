// Feeds bytes to the decoders of series; what they accept must come out the same after another round.
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>
#include <vector>

#include "store/batch_codec.h"
#include "store/chunk_codec.h"

namespace {

using namespace latido::store;

void check(bool good) {
  if (!good) std::abort();
}

std::vector<std::uint64_t> bits_of(const std::vector<double>& values) {
  std::vector<std::uint64_t> bits;
  for (const double value : values) bits.push_back(std::bit_cast<std::uint64_t>(value));
  return bits;
}

void decode_all(std::span<const std::byte> bytes) {
  if (const auto times = decode_times(bytes); times.has_value()) {
    check(decode_times(encode_times(times.value())).value() == times.value());
  }
  if (const auto values = decode_values(bytes); values.has_value()) {
    const auto again = decode_values(encode_values(values.value()));
    check(bits_of(again.value()) == bits_of(values.value()));
  }
  (void)decode_batch(bytes).has_value();
}

// The same bytes as numbers: encoders take anything.
void encode_all(std::span<const std::uint8_t> data) {
  std::vector<std::int64_t> times;
  std::vector<double> values;
  for (std::size_t at = 0; at + 8 <= data.size() && times.size() < kMaxChunkPoints; at += 8) {
    std::uint64_t word = 0;
    for (std::size_t k = 0; k < 8; ++k) word |= std::uint64_t{data[at + k]} << (8 * k);
    times.push_back(static_cast<std::int64_t>(word));
    values.push_back(std::bit_cast<double>(word));
  }
  check(decode_times(encode_times(times)).value() == times);
  check(bits_of(decode_values(encode_values(values)).value()) == bits_of(values));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::span bytes(data, size);
  decode_all(std::as_bytes(bytes));
  encode_all(bytes);
  return 0;
}
