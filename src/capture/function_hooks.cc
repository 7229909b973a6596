// What compilers call in every function built with -finstrument-functions, and what becomes of it.
//
// Called by the user's program, on any thread, before main, in signal handlers and while threads end. A hook
// never waits, never allocates and never calls the program; what it cannot record it drops and counts.
#include <signal.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <time.h>

#include <string_view>
#include <type_traits>

#include "capture/errno_kept.h"
#include "capture/function_stack.h"
#include "capture/functions.h"
#include "capture/stack_region.h"
#include "capture/zone_record.h"

// Compiled with frame pointers: the caller's is read from our own frame.
#pragma GCC diagnostic ignored "-Wframe-address"

#define LATIDO_HOOK __attribute__((visibility("default"), no_instrument_function))

namespace latido::capture {
namespace {

constexpr std::uint16_t kFirstBurst =
    256;                                  // calls before a function is judged, and each time after
constexpr std::uint16_t kNextBurst = 32;  // when it is looked at again
constexpr std::uint64_t kWorthwhile_ns = 5000;  // a call takes about 50 ns to record: 1 % of this
constexpr std::uint32_t kRearmedAtOnce =
    64;  // about as many of the elided ones are looked at again

enum class Recording : std::uint8_t { kUndecided, kOff, kAdaptive, kFull };

// What every hook reads, in one cache line; the parts that change do so about once a second.
struct alignas(64) Hot {
  std::atomic<Recording> recording{Recording::kUndecided};
  std::atomic<std::uint8_t> beat{0};         // when modules were last looked at
  std::atomic<std::uint32_t> generation{0};  // of the modules: changes when one was unloaded
  std::atomic<FunctionTable*> table{nullptr};
  std::atomic<NativeModules*> modules{nullptr};
};

constinit Hot g_hot;
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

// At the first hook of the program. What threads meet meanwhile is dropped and counted.
Recording decide() noexcept {
  static constinit std::atomic<bool> deciding{false};
  if (deciding.exchange(true, std::memory_order_relaxed)) {
    g_early_drops.fetch_add(1, std::memory_order_relaxed);
    return Recording::kOff;
  }
  const std::string_view wanted = environment("LATIDO_RUN_FUNCTIONS");
  Recording recording = wanted == "full"       ? Recording::kFull
                        : wanted == "adaptive" ? Recording::kAdaptive
                                               : Recording::kOff;
  if (recording != Recording::kOff) {
    g_patterns = {environment("LATIDO_RUN_INCLUDE"), environment("LATIDO_RUN_EXCLUDE")};
    g_start_ticks = read_ticks();
    g_start_ns = monotonic_ns();
    if (make_table(g_hot.modules) == nullptr || make_table(g_hot.table) == nullptr) {
      recording = Recording::kOff;
    }
  }
  g_hot.recording.store(recording, std::memory_order_release);
  return recording;
}

// ---- a function -------------------------------------------------------------------------------

// Calls `use(section, site)` with the site of `state`.
template <typename Use>
bool with_site(FunctionState& state, Use&& use) noexcept {
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

FunctionState* add_function(std::uintptr_t address) noexcept {
  const std::uint32_t generation = g_hot.generation.load(std::memory_order_relaxed);
  FunctionTable& table = *g_hot.table.load(std::memory_order_relaxed);
  if (table.is_full()) return &table.others();
  // None: code made at run time, or of too many modules.
  const NativeModule* const module =
      g_hot.modules.load(std::memory_order_relaxed)->find(address, g_patterns, generation);
  return table.add(address, module, generation, kFirstBurst);
}

// Its module may have been unloaded and another one may lie there now.
void look_again(FunctionState& state) noexcept {
  const std::uint32_t generation = g_hot.generation.load(std::memory_order_relaxed);
  state.generation.store(generation, std::memory_order_relaxed);
  const NativeModule* const before = state.module.load(std::memory_order_relaxed);
  if (before == nullptr) return;  // that of all others
  const NativeModule* const now =
      g_hot.modules.load(std::memory_order_relaxed)->find(state.address, g_patterns, generation);
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

// In each beat another part of the elided functions has its turn, so that however many there are, about as
// many are looked at. False: `state` stays elided.
bool rearm(FunctionState& state, std::uint8_t beat) noexcept {
  state.beat.store(beat, std::memory_order_relaxed);
  const std::uint32_t parts = g_elided.load(std::memory_order_relaxed) / kRearmedAtOnce + 1;
  if ((state.address >> 4) % parts != beat % parts) return false;
  g_elided.fetch_sub(1, std::memory_order_relaxed);
  state.burst_limit.store(kNextBurst, std::memory_order_relaxed);
  state.mode.store(FunctionMode::kTraced, std::memory_order_relaxed);
  return true;
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

// ---- the hooks --------------------------------------------------------------------------------

std::uint32_t control_of(const ProcessPage& page) noexcept {
  return RingMemory(page.ring.load(std::memory_order_relaxed))
      .header()
      .control.load(std::memory_order_relaxed);
}

void count_drop(const ProcessPage& page) noexcept {
  void* const ring = page.ring.load(std::memory_order_relaxed);
  if (ring != nullptr) {
    RingMemory(ring).header().dropped.fetch_add(1, std::memory_order_relaxed);
  }
}

// Marks the thread's functions as being changed, for a hook in a signal handler to see.
class BusySection {
 public:
  BusySection(FunctionStack& stack, std::uintptr_t frame) noexcept : stack_(stack) {
    stack_.busy_frame = frame;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
  }
  ~BusySection() {
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    stack_.busy_frame = 0;
  }
  BusySection(const BusySection&) = delete;
  BusySection& operator=(const BusySection&) = delete;

 private:
  FunctionStack& stack_;
};

bool on_one_stack(std::uintptr_t frame, std::uintptr_t other) noexcept {
  StackRegions regions;
  const StackRegion* const region = regions.find(frame);
  return region != nullptr && region->holds(other);
}

bool on_signal_stack() noexcept {
  stack_t now{};
  return sigaltstack(nullptr, &now) != 0 || (now.ss_flags & SS_ONSTACK) != 0;
}

// Another hook or zone of this thread is at work: this one runs in a signal handler that interrupted it. Where
// the other one's frame is gone, a handler has left it by siglongjmp; nobody knows how far it came, so the
// thread starts anew.
[[gnu::noinline]] void on_busy(FunctionStack& stack, std::uintptr_t frame) noexcept {
  if (stack.busy_frame == 0 || frame < stack.busy_frame || on_signal_stack() ||
      !on_one_stack(frame, stack.busy_frame)) {
    return;
  }
  abandon_thread_log(process());
  stack.forget();
  stack.busy_frame = 0;
}

// The first hook of the process, or of a forked child. Signals wait: a handler that leaves by siglongjmp would
// leave the ring half open for ever.
[[gnu::noinline]] std::uint32_t open_process() noexcept {
  sigset_t all;
  sigset_t before;
  sigfillset(&all);
  const bool blocked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
  bool opened = false;
  {
    const LogSection section;  // while another thread opens it this call is counted as dropped
    opened = static_cast<bool>(section);
  }
  if (blocked) pthread_sigmask(SIG_SETMASK, &before, nullptr);
  const ProcessPage& page = process();
  const std::uint32_t epoch = page.epoch.load(std::memory_order_acquire);
  if (!opened || epoch == 0) return 0;
  if (const std::uint64_t early = g_early_drops.exchange(0, std::memory_order_relaxed); early > 0) {
    RingMemory(page.ring).header().dropped.fetch_add(early, std::memory_order_relaxed);
  }
  return epoch;
}

// A second has passed since modules were looked at. One of the threads does it.
[[gnu::noinline]] void on_beat(std::uint8_t beat) noexcept {
  if (g_hot.beat.exchange(beat, std::memory_order_relaxed) == beat) return;
  if (g_hot.modules.load(std::memory_order_relaxed)->unloaded_any()) {
    g_hot.generation.fetch_add(1, std::memory_order_relaxed);
  }
}

[[gnu::noinline]] bool begin_slowly(FunctionState& state) noexcept {
  return with_site(state,
                   [](LogSection& section, const SiteRef& site) { return section.begin(site); });
}

void record_enter(FunctionState& state, const HookCall& call, FunctionStack& stack,
                  const ProcessPage& page, std::uint32_t epoch) noexcept {
  if (stack.epoch() != epoch && !stack.prepare(epoch)) return count_drop(page);
  if (!stack.is_within_top(call.frame) && !stack.close_before(call)) return count_drop(page);
  if (!stack.has_room()) return count_drop(page);
  ThreadLog& log = t_log;
  if (begin_zone(log, epoch, __atomic_load_n(&state.tagged_id, __ATOMIC_ACQUIRE)) ||
      begin_slowly(state)) {
    stack.push(call, state, log.last_ticks);
  }
}

[[gnu::always_inline]] inline void enter(const HookCall& call, std::uintptr_t own_frame) noexcept {
  const ProcessPage* page = &process();
  if (__atomic_load_n(&page->state, __ATOMIC_RELAXED) == LATIDO_OFF) return;
  FunctionStack& stack = t_functions;
  if (stack.busy_frame != 0 || t_log.epoch == kBusy) [[unlikely]] {
    count_drop(*page);
    return on_busy(stack, own_frame);
  }
  std::uint32_t epoch = page->epoch.load(std::memory_order_acquire);
  if (epoch == 0) [[unlikely]] {
    const BusySection busy(stack, own_frame);
    epoch = open_process();
    if (epoch == 0) return;
    page = &process();
  }
  const std::uint32_t control = control_of(*page);
  const Reduction reduction = reduction_of(control);
  if (reduction == Reduction::kStepsOnly) return;
  const std::uint8_t beat = beat_of(control);

  FunctionState* state = g_hot.table.load(std::memory_order_relaxed)->find(call.function);
  if (state != nullptr && state->mode.load(std::memory_order_relaxed) != FunctionMode::kTraced) {
    if (state->mode.load(std::memory_order_relaxed) == FunctionMode::kExcluded ||
        state->beat.load(std::memory_order_relaxed) == beat || reduction >= Reduction::kNoRearm ||
        !rearm(*state, beat)) {
      return;
    }
  }
  const BusySection busy(stack, own_frame);
  if (g_hot.beat.load(std::memory_order_relaxed) != beat) [[unlikely]]
    on_beat(beat);
  if (state == nullptr) [[unlikely]]
    state = add_function(call.function);
  if (state->generation.load(std::memory_order_relaxed) !=
      g_hot.generation.load(std::memory_order_relaxed)) [[unlikely]] {
    look_again(*state);
  }
  if (state->mode.load(std::memory_order_relaxed) == FunctionMode::kExcluded) return;
  record_enter(*state, call, stack, *page, epoch);
}

// The innermost function ends by itself: its time is known.
void record_leave(FunctionStack& stack) noexcept {
  FunctionState& state = *stack.top().state;
  const std::uint64_t begin_ticks = stack.top().begin_ticks;
  const std::uint64_t ticks = read_ticks();
  stack.pop(ticks);
  const std::uint32_t control = control_of(process());
  if (g_hot.recording.load(std::memory_order_relaxed) == Recording::kFull &&
      reduction_of(control) == Reduction::kNone) {
    return;
  }
  const auto add = [](auto& count, std::uint64_t more) {
    using Count = std::remove_reference_t<decltype(count)>;
    const auto sum = count.load(std::memory_order_relaxed) + more;
    count.store(static_cast<typename Count::value_type>(sum), std::memory_order_relaxed);
    return sum;
  };
  add(state.calls, 1);
  add(state.burst_ticks, ticks - begin_ticks);
  if (add(state.burst_calls, 1) >= state.burst_limit.load(std::memory_order_relaxed) &&
      state.address != 0 && state.mode.load(std::memory_order_relaxed) == FunctionMode::kTraced) {
    judge(state, beat_of(control));
  }
}

[[gnu::noinline]] void leave_slowly(const HookCall& call, FunctionStack& stack,
                                    std::uintptr_t own_frame) noexcept {
  const ProcessPage& page = process();
  if (stack.busy_frame != 0 || t_log.epoch == kBusy) return on_busy(stack, own_frame);
  const BusySection busy(stack, own_frame);
  if (stack.epoch() != page.epoch.load(std::memory_order_acquire)) return stack.forget();
  if (stack.close_down_to(call)) record_leave(stack);
}

[[gnu::always_inline]] inline void leave(const HookCall& call, std::uintptr_t own_frame) noexcept {
  FunctionStack& stack = t_functions;
  // Of a function that is not recorded, deeper than what is: nothing to do.
  if (stack.is_within_top(call.frame)) return;
  const FunctionEntry& top = stack.top();
  if (top.frame != call.frame || top.function != call.function || stack.busy_frame != 0 ||
      t_log.epoch == kBusy || stack.epoch() != process().epoch.load(std::memory_order_acquire))
      [[unlikely]] {
    return leave_slowly(call, stack, own_frame);
  }
  const BusySection busy(stack, own_frame);
  record_leave(stack);
}

// `own` is the hook's frame pointer: own[0] is the caller's, own[1] where the hook returns to.
[[gnu::always_inline]] inline HookCall hook_call(void* function, void* call_site,
                                                 const std::uintptr_t* own) noexcept {
  constexpr std::uintptr_t kLargestFrameBytes = 256 * 1024;
  HookCall call{.function = reinterpret_cast<std::uintptr_t>(function),
                .call_site = reinterpret_cast<std::uintptr_t>(call_site),
                .at = own[1]};
  const auto own_frame = reinterpret_cast<std::uintptr_t>(own);
  const std::uintptr_t pointer = own[0];
  if (own[1] == call.call_site) {
    call.frame = own_frame;  // jumped to by the function's last instruction: this was its frame
    call.exact = true;
  } else if (pointer - own_frame < kLargestFrameBytes && pointer % 16 == 0 &&
             reinterpret_cast<const std::uintptr_t*>(pointer)[1] == call.call_site) {
    call.frame = pointer;
    call.exact = true;
  } else {
    call.frame = own_frame + 2 * sizeof(void*);  // the stack pointer when we were called
  }
  return call;
}

bool functions_are_off() noexcept {
  const Recording recording = g_hot.recording.load(std::memory_order_acquire);
  if (recording == Recording::kUndecided) [[unlikely]]
    return decide() == Recording::kOff;
  return recording == Recording::kOff;
}

}  // namespace

extern "C" {

LATIDO_HOOK void __cyg_profile_func_enter(void* function, void* call_site) {
  if (functions_are_off()) return;
  const auto* const own = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  enter(hook_call(function, call_site, own), reinterpret_cast<std::uintptr_t>(own));
}

LATIDO_HOOK void __cyg_profile_func_exit(void* function, void* call_site) {
  if (g_hot.recording.load(std::memory_order_relaxed) <= Recording::kOff) return;
  const auto* const own = static_cast<const std::uintptr_t*>(__builtin_frame_address(0));
  leave(hook_call(function, call_site, own), reinterpret_cast<std::uintptr_t>(own));
}

}  // extern "C"

}  // namespace latido::capture
