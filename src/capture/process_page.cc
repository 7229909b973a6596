#include "capture/process_page.h"

#include <pthread.h>
#include <sys/mman.h>

#include <new>

#include "capture/open_ring.h"
#include "capture/ring_memory.h"

namespace latido::capture {
namespace {

constinit ProcessPage g_first_page;

// Never wiped: a child counts on from its parent, so that what the parent left in sites and in
// thread locals never looks like its own.
constinit std::atomic<std::uint32_t> g_generation{0};

std::uint32_t load_state(const ProcessPage& page) noexcept {
  return __atomic_load_n(&page.state, __ATOMIC_ACQUIRE);
}

void store_state(ProcessPage& page, std::uint32_t state) noexcept {
  __atomic_store_n(&page.state, state, __ATOMIC_RELEASE);
}

// Where the kernel cannot wipe (before Linux 4.14, some sandboxes) fork() is followed, bare clone()
// not.
bool wipe_on_fork(void* memory) noexcept {
  return madvise(memory, kPageBytes, MADV_WIPEONFORK) == 0 ||
         pthread_atfork(nullptr, nullptr, wipe_in_child) == 0;
}

// No lock: threads that arrive together each make a page, and one of them is kept.
ProcessPage* own_page() noexcept {
  ProcessPage* page = g_process.load(std::memory_order_acquire);
  if (page != &g_first_page) return page;
  void* const memory =
      mmap(nullptr, kPageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  ProcessPage* const made = new (memory) ProcessPage;
  if (!wipe_on_fork(memory) ||
      !g_process.compare_exchange_strong(page, made, std::memory_order_acq_rel)) {
    munmap(memory, kPageBytes);
    return page != &g_first_page ? page : nullptr;
  }
  return made;
}

// Called after a change of either the count or the state: in sequential order, so whichever comes last
// sees the other.
void move_undecided_drops(ProcessPage& page) noexcept {
  if (__atomic_load_n(&page.state, __ATOMIC_SEQ_CST) != LATIDO_RECORDING) return;
  const std::uint32_t drops = page.undecided_drops.exchange(0);
  if (drops == 0) return;
  RingMemory(page.ring).header().dropped.fetch_add(drops, std::memory_order_relaxed);
}

bool decide(ProcessPage& page) noexcept {
  std::uint32_t undecided = 0;
  if (!page.deciding.compare_exchange_strong(undecided, 1, std::memory_order_acq_rel)) return false;
  void* const ring = open_ring();
  if (ring == nullptr) {
    store_state(page, LATIDO_OFF);
    return false;
  }
  page.ring.store(ring, std::memory_order_relaxed);
  page.epoch.store(g_generation.fetch_add(1, std::memory_order_relaxed) + 1,
                   std::memory_order_release);
  __atomic_store_n(&page.state, LATIDO_RECORDING, __ATOMIC_SEQ_CST);
  move_undecided_drops(page);
  return true;
}

}  // namespace

constinit std::atomic<ProcessPage*> g_process{&g_first_page};

bool is_recording() noexcept {
  ProcessPage* const page = own_page();
  if (page == nullptr) {
    store_state(g_first_page, LATIDO_OFF);
    return false;
  }
  if (__atomic_load_n(&latido_state, __ATOMIC_RELAXED) != &page->state) {
    __atomic_store_n(&latido_state, &page->state, __ATOMIC_RELEASE);
  }
  const std::uint32_t state = load_state(*page);
  return state == LATIDO_RECORDING || (state == LATIDO_UNDECIDED && decide(*page));
}

void count_undecided_drop() noexcept {
  ProcessPage& page = process();
  page.undecided_drops.fetch_add(1);
  move_undecided_drops(page);
}

void stop_recording() noexcept { store_state(process(), LATIDO_OFF); }

void wipe_in_child() noexcept {
  ProcessPage& page = process();
  if (&page != &g_first_page) new (&page) ProcessPage;
}

}  // namespace latido::capture

extern "C" {
LATIDO_API const volatile std::uint32_t* latido_state = &latido::capture::g_first_page.state;
}
