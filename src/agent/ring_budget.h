// How much memory the rings of one run may take together, and each one's share of it. Pure; used by Agent.
//
// A ring that waits to be taken is not told anything yet: kStartChunks for each that can wait are set
// aside. The rest is shared equally by the rings that were taken.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/ring_format.h"

namespace latido::agent {

inline constexpr std::int64_t kRunRingBytes = 256'000'000;
inline constexpr int kListenBacklog = 256;

// Chunks for `rings` together, beside their headers; negative when not even those fit.
constexpr std::int64_t chunks_of_run(std::size_t rings) noexcept {
  constexpr auto header_bytes = static_cast<std::int64_t>(capture::kFirstChunkOffset);
  constexpr auto chunk_bytes = static_cast<std::int64_t>(capture::kChunkBytes);
  // The kernel lets one more than the backlog wait, and one more may be in our hands.
  constexpr std::int64_t waiting_bytes =
      (kListenBacklog + 2) * (header_bytes + capture::kStartChunks * chunk_bytes);
  const std::int64_t left_bytes =
      kRunRingBytes - waiting_bytes - static_cast<std::int64_t>(rings) * header_bytes;
  return left_bytes >= 0 ? left_bytes / chunk_bytes : -1;
}

// The equal share: 1 to kChunkCount chunks.
constexpr std::uint32_t fair_chunks(std::size_t rings) noexcept {
  if (rings == 0) return capture::kChunkCount;
  const std::int64_t share = chunks_of_run(rings) / static_cast<std::int64_t>(rings);
  if (share < 1) return 1;
  return share < capture::kChunkCount ? static_cast<std::uint32_t>(share) : capture::kChunkCount;
}

}  // namespace latido::agent
