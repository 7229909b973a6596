// Varints of the series formats: 7 bits a byte, low ones first; signed numbers in zigzag order.
//
// Reading is bounded; a reader that ran out of bytes or met an overlong number stays failed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace latido::store {

inline void put_varint(std::vector<std::byte>& out, std::uint64_t value) {
  while (value >= 0x80) {
    out.push_back(static_cast<std::byte>(value | 0x80U));
    value >>= 7U;
  }
  out.push_back(static_cast<std::byte>(value));
}

// Differences are taken and added modulo 2^64, so that none overflows.
constexpr std::uint64_t zigzag(std::uint64_t difference) noexcept {
  return difference << 1U ^ (0 - (difference >> 63U));
}
constexpr std::uint64_t unzigzag(std::uint64_t code) noexcept {
  return code >> 1U ^ (0 - (code & 1U));
}

class VarintReader {
 public:
  // `bytes` must outlive the reader.
  explicit VarintReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::uint64_t next() noexcept {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (bytes_.empty()) break;
      const auto byte = std::to_integer<std::uint64_t>(bytes_.front());
      bytes_ = bytes_.subspan(1);
      if (shift == 63 && byte > 1) break;
      value |= (byte & 0x7FU) << shift;
      if (byte < 0x80) return value;
    }
    failed_ = true;
    bytes_ = {};
    return 0;
  }

  bool failed() const noexcept { return failed_; }
  std::span<const std::byte> rest() const noexcept { return bytes_; }
  void skip(std::size_t count) noexcept {
    if (count > bytes_.size()) failed_ = true;
    bytes_ = bytes_.subspan(failed_ ? bytes_.size() : count);
  }

 private:
  std::span<const std::byte> bytes_;
  bool failed_ = false;
};

}  // namespace latido::store
