// WordPacker: writes bytes as the zero-padded words of a text record, straight into the ring.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/ring_memory.h"

namespace latido::capture {

class WordPacker {
 public:
  // `at` must have room for all bytes that will be put, rounded up to whole words.
  explicit WordPacker(Word* at) noexcept : at_(at) {}

  void put(const char* bytes, std::size_t count) noexcept {
    for (std::size_t i = 0; i < count; ++i) {
      word_ |= static_cast<std::uint64_t>(static_cast<unsigned char>(bytes[i])) << (8 * filled_);
      if (++filled_ == 8) flush();
    }
  }
  void finish() noexcept {
    if (filled_ > 0) flush();
  }

 private:
  void flush() noexcept {
    (at_++)->store(word_, std::memory_order_relaxed);
    word_ = 0;
    filled_ = 0;
  }

  Word* at_;
  std::uint64_t word_ = 0;
  unsigned filled_ = 0;
};

}  // namespace latido::capture
