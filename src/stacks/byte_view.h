// ByteView: little-endian reads from bytes that nobody vouches for. Out of bounds reads give 0 and
// set a flag that stays, so that a reader checks once, after a group of reads.
//
// Used by every reader of this folder. Never throws, never casts memory to a struct.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace latido::stacks {

class ByteView {
 public:
  explicit ByteView(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  std::uint8_t u8(std::uint64_t at) noexcept { return static_cast<std::uint8_t>(number(at, 1)); }
  std::uint16_t u16(std::uint64_t at) noexcept { return static_cast<std::uint16_t>(number(at, 2)); }
  std::uint32_t u32(std::uint64_t at) noexcept { return static_cast<std::uint32_t>(number(at, 4)); }
  std::uint64_t u64(std::uint64_t at) noexcept { return number(at, 8); }

  std::size_t size() const noexcept { return bytes_.size(); }
  bool out_of_bounds() const noexcept { return out_of_bounds_; }

 private:
  std::uint64_t number(std::uint64_t at, std::size_t width) noexcept {
    if (at > bytes_.size() || bytes_.size() - at < width) {
      out_of_bounds_ = true;
      return 0;
    }
    std::uint64_t value = 0;
    if constexpr (std::endian::native == std::endian::little) {
      std::memcpy(&value, bytes_.data() + at, width);  // one load; the loop below is eight
      return value;
    }
    for (std::size_t k = 0; k < width; ++k) {
      value |= std::to_integer<std::uint64_t>(bytes_[static_cast<std::size_t>(at) + k]) << (8 * k);
    }
    return value;
  }

  std::span<const std::byte> bytes_;
  bool out_of_bounds_ = false;
};

}  // namespace latido::stacks
