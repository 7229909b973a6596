// Makes this process's ring and hands it to the agent. Called once per process, at its first event.
#pragma once

#include <cstdint>

namespace latido::capture {

// Returns the mapped ring, its header filled; nullptr when recording is off: LATIDO_DISABLE is set,
// LATIDO_SOCKET is not, nobody listens there, or the system refuses the memory. Waits at most about
// 20 ms, for a busy agent. Leaves no descriptor open. The caller admits one thread at a time.
void* open_ring() noexcept;

// For tests: what a new ring allows until an agent speaks; kStartChunks.
extern constinit std::uint32_t g_start_chunks;

}  // namespace latido::capture
