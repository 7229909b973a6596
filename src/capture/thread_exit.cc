#include "capture/thread_exit.h"

#include <pthread.h>

#include "capture/function_stack.h"
#include "capture/functions.h"
#include "capture/thread_log.h"

namespace latido::capture {
namespace {

constinit std::atomic<bool> g_have_key{false};
constinit pthread_key_t g_key = 0;

// Destructors of other keys may still record afterwards: that leases a chunk and arms the key
// again, and libc comes back, PTHREAD_DESTRUCTOR_ITERATIONS times in all.
void on_thread_exit(void*) noexcept {
  t_functions.release();
  ThreadLog& log = t_log;
  log.exit_armed = false;
  const ProcessPage& page = process();
  const std::uint32_t epoch = page.epoch.load(std::memory_order_acquire);
  if (log.next == nullptr || epoch == 0 || log.epoch != epoch) return;
  seal_chunk(RingMemory(page.ring), log.chunk, true);
  ++log.exit_rounds;
  log.next = log.limit = log.unnested_limit = nullptr;
}

// At load time, since the libc keeps the first keys of a process in the thread itself and would
// allocate for later ones. It costs no system call.
__attribute__((constructor)) void make_key() noexcept {
  g_have_key.store(pthread_key_create(&g_key, on_thread_exit) == 0, std::memory_order_release);
}

}  // namespace

void arm_thread_exit() noexcept {
  if (t_log.exit_armed || !g_have_key.load(std::memory_order_acquire)) return;
  t_log.exit_armed = pthread_setspecific(g_key, &t_log) == 0;
}

void seal_chunk(RingMemory ring, std::uint32_t index, bool ended) noexcept {
  ChunkHeader& chunk = ring.chunk(index);
  if (ended) chunk.ended.store(1, std::memory_order_relaxed);
  chunk.state.store(static_cast<std::uint32_t>(ChunkState::kSealed), std::memory_order_release);
}

void abandon_thread_log(const ProcessPage& page) noexcept {
  if (t_log.next != nullptr) seal_chunk(RingMemory(page.ring), t_log.chunk, true);
  const bool exit_armed = t_log.exit_armed;
  t_log = ThreadLog{};
  t_log.exit_armed = exit_armed;
}

}  // namespace latido::capture
