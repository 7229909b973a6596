#include "capture/function_policy.h"

#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include <string_view>

#include "capture/clock_source.h"
#include "capture/errno_kept.h"
#include "capture/functions.h"
#include "capture/signals_blocked.h"
#include "capture/thread_log.h"

namespace latido::capture {
namespace {

constexpr std::uint16_t kFirstBurst =
    256;                                  // calls before a function is judged, and each time after
constexpr std::uint16_t kNextBurst = 32;  // when it is looked at again
constexpr std::uint64_t kWorthwhile_ns = 5000;  // a call takes about 50 ns to record: 1 % of this
constexpr std::uint32_t kRearmedAtOnce =
    64;  // about as many of the elided ones are looked at again

constinit FunctionPatterns g_patterns;
constinit std::uint64_t g_start_ticks = 0;
constinit std::uint64_t g_start_ns = 0;
constinit std::atomic<std::uint32_t> g_elided{0};
constinit std::atomic<std::uint64_t> g_early_drops{0};  // before there was a ring

std::uint64_t monotonic_ns() noexcept {
  timespec now{};
  clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U +
         static_cast<std::uint64_t>(now.tv_nsec);
}

// Right within a per cent after some milliseconds; before, a guess that is not far off.
double ns_of_ticks(std::uint64_t ticks) noexcept {
  constexpr std::uint64_t kEnough_ns = 1'000'000;
  const std::uint64_t passed_ns = monotonic_ns() - g_start_ns;
  const std::uint64_t passed = read_ticks() - g_start_ticks;
  const double rate = passed_ns < kEnough_ns || passed == 0
                          ? 10'000.0 / static_cast<double>(kTicksPer10Us)
                          : static_cast<double>(passed_ns) / static_cast<double>(passed);
  return static_cast<double>(ticks) * rate;
}

// ---- start ------------------------------------------------------------------------------------

std::string_view environment(const char* name) noexcept {
  const char* const value = secure_getenv(name);
  return value != nullptr ? std::string_view(value) : std::string_view();
}

template <typename T>
T* make_table(std::atomic<T*>& into) noexcept {
  const ErrnoKept errno_kept;
  void* const memory = mmap(nullptr, sizeof(T), PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (memory == MAP_FAILED) return nullptr;
  T* there = nullptr;
  T* const made = static_cast<T*>(memory);  // well when all is zero
  if (into.compare_exchange_strong(there, made, std::memory_order_acq_rel)) return made;
  munmap(memory, sizeof(T));
  return there;
}

// Calls `use(section, site)` with the site of `state`.
template <typename Use>
bool with_site(FunctionState& state, Use&& use) noexcept {
  const SignalsBlocked blocked;  // or a chunk could be leased and lost
  LogSection section;
  if (!section) return false;
  const NativeModule* const module = state.module.load(std::memory_order_relaxed);
  if (module == nullptr) {
    return use(section, SiteRef{"other functions", "function", nullptr, 0, &state.tagged_id});
  }
  char name[kMaxNativeNameBytes];
  write_native_name(*module, state.address, name);
  return use(section, SiteRef{name, kNativeCategory, module->path, 0, &state.tagged_id});
}

void judge(FunctionState& state, std::uint8_t beat) noexcept {
  const std::uint32_t calls = state.burst_calls.exchange(0, std::memory_order_relaxed);
  const std::uint64_t ticks = state.burst_ticks.exchange(0, std::memory_order_relaxed);
  if (calls == 0) return;  // another thread has done it
  state.burst_limit.store(kFirstBurst, std::memory_order_relaxed);
  if (ns_of_ticks(ticks) >= static_cast<double>(kWorthwhile_ns) * calls) return;
  state.beat.store(beat, std::memory_order_relaxed);
  state.mode.store(FunctionMode::kElided, std::memory_order_relaxed);
  g_elided.fetch_add(1, std::memory_order_relaxed);
  with_site(state, [&](LogSection& section, const SiteRef& site) {
    return section.extended(ExtendedKind::kInstant, site, 0,
                            state.calls.load(std::memory_order_relaxed));
  });
}

}  // namespace

constinit FunctionPolicy g_functions;

FunctionRecording decide_functions() noexcept {
  static constinit std::atomic<bool> deciding{false};
  if (deciding.exchange(true, std::memory_order_relaxed)) {
    g_early_drops.fetch_add(1, std::memory_order_relaxed);
    return FunctionRecording::kOff;
  }
  const std::string_view wanted = environment("LATIDO_RUN_FUNCTIONS");
  FunctionRecording recording = wanted == "full"       ? FunctionRecording::kFull
                                : wanted == "adaptive" ? FunctionRecording::kAdaptive
                                                       : FunctionRecording::kOff;
  if (recording != FunctionRecording::kOff) {
    g_patterns = {environment("LATIDO_RUN_INCLUDE"), environment("LATIDO_RUN_EXCLUDE")};
    g_start_ticks = read_ticks();
    g_start_ns = monotonic_ns();
    if (make_table(g_functions.modules) == nullptr || make_table(g_functions.table) == nullptr) {
      recording = FunctionRecording::kOff;
    }
  }
  g_functions.recording.store(recording, std::memory_order_release);
  return recording;
}

std::uint64_t take_early_drops() noexcept {
  return g_early_drops.exchange(0, std::memory_order_relaxed);
}

FunctionState* add_function(std::uintptr_t address) noexcept {
  const std::uint32_t generation = g_functions.generation.load(std::memory_order_relaxed);
  FunctionTable& table = *g_functions.table.load(std::memory_order_relaxed);
  if (table.is_full()) return &table.others();
  // None: code made at run time, or of too many modules.
  const NativeModule* const module =
      g_functions.modules.load(std::memory_order_relaxed)->find(address, g_patterns, generation);
  return table.add(address, module, generation, kFirstBurst);
}

void look_again(FunctionState& state) noexcept {
  const std::uint32_t generation = g_functions.generation.load(std::memory_order_relaxed);
  state.generation.store(generation, std::memory_order_relaxed);
  const NativeModule* const before = state.module.load(std::memory_order_relaxed);
  if (before == nullptr) return;  // that of all others
  const NativeModule* const now = g_functions.modules.load(std::memory_order_relaxed)
                                      ->find(state.address, g_patterns, generation);
  if (now == nullptr || now == before) return;
  state.module.store(now, std::memory_order_relaxed);
  __atomic_store_n(&state.tagged_id, 0, __ATOMIC_RELEASE);
  state.calls.store(0, std::memory_order_relaxed);
  state.burst_calls.store(0, std::memory_order_relaxed);
  state.burst_ticks.store(0, std::memory_order_relaxed);
  state.burst_limit.store(kFirstBurst, std::memory_order_relaxed);
  state.mode.store(now->wanted ? FunctionMode::kTraced : FunctionMode::kExcluded,
                   std::memory_order_relaxed);
}

void look_at_modules(std::uint8_t beat) noexcept {
  if (g_functions.beat.exchange(beat, std::memory_order_relaxed) == beat) return;
  if (g_functions.modules.load(std::memory_order_relaxed)->unloaded_any()) {
    g_functions.generation.fetch_add(1, std::memory_order_relaxed);
  }
}

bool rearm(FunctionState& state, std::uint8_t beat) noexcept {
  state.beat.store(beat, std::memory_order_relaxed);
  const std::uint32_t parts = g_elided.load(std::memory_order_relaxed) / kRearmedAtOnce + 1;
  if ((state.address >> 4) % parts != beat % parts) return false;
  g_elided.fetch_sub(1, std::memory_order_relaxed);
  state.burst_limit.store(kNextBurst, std::memory_order_relaxed);
  state.mode.store(FunctionMode::kTraced, std::memory_order_relaxed);
  return true;
}

void count_call(FunctionState& state, std::uint64_t ticks, std::uint8_t beat) noexcept {
  state.calls.store(state.calls.load(std::memory_order_relaxed) + 1, std::memory_order_relaxed);
  state.burst_ticks.store(state.burst_ticks.load(std::memory_order_relaxed) + ticks,
                          std::memory_order_relaxed);
  const std::uint32_t calls = state.burst_calls.load(std::memory_order_relaxed) + 1;
  state.burst_calls.store(calls, std::memory_order_relaxed);
  if (calls >= state.burst_limit.load(std::memory_order_relaxed) && state.address != 0 &&
      state.mode.load(std::memory_order_relaxed) == FunctionMode::kTraced) {
    judge(state, beat);
  }
}

bool begin_slowly(FunctionState& state) noexcept {
  return with_site(state,
                   [](LogSection& section, const SiteRef& site) { return section.begin(site); });
}

}  // namespace latido::capture
