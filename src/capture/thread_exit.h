// Seals a thread's chunk when the thread ends, so that the agent can give it to another one.
#pragma once

#include "capture/ring_memory.h"

namespace latido::capture {

// Tells libc that the calling thread has something to seal. Cheap when it has been told before.
void arm_thread_exit() noexcept;

// The thread's last word in chunk `index`; `ended`: and the thread's last word at all.
void seal_chunk(RingMemory ring, std::uint32_t index, bool ended) noexcept;

}  // namespace latido::capture
