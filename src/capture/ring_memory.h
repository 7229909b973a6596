// RingMemory: where things lie in one mapped ring. A view, copied freely; the mapping is never
// undone while the process records (open_ring.h). Used by the recording threads.
#pragma once

#include <cstddef>

#include "capture/ring_format.h"

namespace latido::capture {

using Word = Shared<std::uint64_t>;

// Release: pairs with the agent's acquire. The agent being another process, ThreadSanitizer has nothing
// to learn from it, and would keep a clock for each of the millions of words.
#ifdef __SANITIZE_THREAD__
inline constexpr std::memory_order kPublish = std::memory_order_relaxed;
#else
inline constexpr std::memory_order kPublish = std::memory_order_release;
#endif

class RingMemory {
 public:
  explicit RingMemory(void* base) noexcept : base_(static_cast<std::byte*>(base)) {}

  RingHeader& header() const noexcept { return *at<RingHeader>(0); }
  // `index` < kChunkCount, in both.
  ChunkHeader& chunk(std::uint32_t index) const noexcept {
    return at<ChunkHeader>(kPageBytes)[index];
  }
  Word* words(std::uint32_t index) const noexcept {
    return at<Word>(kFirstChunkOffset + index * kChunkBytes);
  }

 private:
  template <typename T>
  T* at(std::uint64_t offset_bytes) const noexcept {
    return static_cast<T*>(static_cast<void*>(base_ + offset_bytes));
  }

  std::byte* base_;
};

// Has pages backed before they are written: where memory has run out, that is false here and would be a
// SIGBUS later. Kernels before 5.14 and some sandboxes cannot; there it is true. Sets errno.
bool back_with_memory(void* begin, std::size_t size_bytes) noexcept;

}  // namespace latido::capture
