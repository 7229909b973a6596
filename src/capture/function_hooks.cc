// What compilers call in every function built with -finstrument-functions, and what becomes of it.
//
// Called by the user's program, on any thread, before main, in signal handlers and while threads end. A hook
// never waits, never allocates and never calls the program; what it cannot record it drops and counts.
#include <signal.h>

#include "capture/function_policy.h"
#include "capture/function_stack.h"
#include "capture/functions.h"
#include "capture/signals_blocked.h"
#include "capture/stack_region.h"
#include "capture/zone_record.h"

// Reads what may be anything of the caller's stack, where AddressSanitizer sees a mistake.
#if defined(__SANITIZE_ADDRESS__)
#define LATIDO_READS_FRAMES __attribute__((noinline, no_sanitize("address")))
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define LATIDO_READS_FRAMES __attribute__((noinline, no_sanitize("address")))
#endif
#endif
#ifndef LATIDO_READS_FRAMES
#define LATIDO_READS_FRAMES [[gnu::always_inline]] inline
#endif

#define LATIDO_HOOK __attribute__((visibility("default"), no_instrument_function))

namespace latido::capture {
namespace {

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
  if (stack.busy_frame == 0 || frame < stack.busy_frame) return;
  const SignalsBlocked blocked;
  if (on_signal_stack() || !on_one_stack(frame, stack.busy_frame)) return;
  abandon_thread_log(process());
  stack.forget();
  stack.busy_frame = 0;
}

// The first hook of the process, or of a forked child.
[[gnu::noinline]] bool open_process() noexcept {
  const SignalsBlocked blocked;
  const LogSection section;  // while another thread opens it this call is counted as dropped
  if (!section) return false;
  const ProcessPage& page = process();
  RingMemory(page.ring).header().dropped.fetch_add(take_early_drops(), std::memory_order_relaxed);
  return true;
}

// Where the function's frame is, from the hook's own frame pointer: own[0] is the caller's, own[1] where the
// hook returns to.
LATIDO_READS_FRAMES std::uintptr_t frame_of(const std::uintptr_t* own,
                                            std::uintptr_t call_site) noexcept {
  constexpr std::uintptr_t kLargestFrameBytes = 256 * 1024;
  const auto own_frame = reinterpret_cast<std::uintptr_t>(own);
  const std::uintptr_t pointer = own[0];
  // Jumped to by the function's last instruction: this was its frame.
  if (own[1] == call_site) return own_frame;
  if (pointer - own_frame < kLargestFrameBytes && pointer % 16 == 0 &&
      reinterpret_cast<const std::uintptr_t*>(pointer)[1] == call_site) {
    return pointer;
  }
  return own_frame + 2 * sizeof(void*);  // no frame pointer: the stack pointer when we were called
}

HookCall hook_call(std::uintptr_t function, std::uintptr_t call_site,
                   const std::uintptr_t* own) noexcept {
  return {.function = function,
          .call_site = call_site,
          .at = own[1],
          .frame = frame_of(own, call_site)};
}

// ---- enter ------------------------------------------------------------------------------------

// Records a call of `state`, or of a function that was not met before. Apart from the hook, so that this has
// little to save for a function that is elided.
[[gnu::noinline]] void record_enter(FunctionState* state, std::uintptr_t function,
                                    std::uintptr_t call_site, const std::uintptr_t* own) noexcept {
  const ProcessPage& page = process();
  FunctionStack& stack = t_functions;
  const auto own_frame = reinterpret_cast<std::uintptr_t>(own);
  if (stack.busy_frame != 0 || t_log.epoch == kBusy) [[unlikely]] {
    count_drop(page);
    return on_busy(stack, own_frame);
  }
  const BusySection busy(stack, own_frame);
  const std::uint8_t beat = beat_of(control_of(page));
  if (g_functions.beat.load(std::memory_order_relaxed) != beat) look_at_modules(beat);
  if (state == nullptr) state = add_function(function);
  if (state->generation.load(std::memory_order_relaxed) !=
      g_functions.generation.load(std::memory_order_relaxed)) {
    look_again(*state);
  }
  if (state->mode.load(std::memory_order_relaxed) == FunctionMode::kExcluded) return;

  const std::uint32_t epoch = page.epoch.load(std::memory_order_relaxed);
  if (stack.epoch() != epoch && !stack.prepare(epoch)) return count_drop(page);
  const HookCall call = hook_call(function, call_site, own);
  if (!stack.is_within_top(call.frame) && !stack.close_before(call)) return count_drop(page);
  if (!stack.has_room()) return count_drop(page);
  ThreadLog& log = t_log;
  if (begin_zone(log, epoch, __atomic_load_n(&state->tagged_id, __ATOMIC_ACQUIRE))) {
    return stack.push(call, *state, log.last_ticks);
  }
  // All chunks were taken a moment ago: dropping has to be cheap.
  if (log.epoch == epoch && read_ticks() < log.no_scan_before_ticks) return count_drop(page);
  if (begin_slowly(*state)) stack.push(call, *state, log.last_ticks);
}

// The first hook of a process, and of the program: nothing is decided yet.
[[gnu::noinline]] void enter_first(std::uintptr_t function, std::uintptr_t call_site,
                                   const std::uintptr_t* own) noexcept {
  if (g_functions.recording.load(std::memory_order_acquire) == FunctionRecording::kUndecided &&
      decide_functions() == FunctionRecording::kOff) {
    return;
  }
  FunctionStack& stack = t_functions;
  const auto own_frame = reinterpret_cast<std::uintptr_t>(own);
  if (stack.busy_frame != 0 || t_log.epoch == kBusy) return on_busy(stack, own_frame);
  {
    const BusySection busy(stack, own_frame);
    if (!open_process()) return;
  }
  if (reduction_of(control_of(process())) == Reduction::kStepsOnly) return;
  record_enter(g_functions.table.load(std::memory_order_relaxed)->find(function), function,
               call_site, own);
}

// Whether a call of `state`, which is not traced, is recorded all the same.
[[gnu::always_inline]] inline bool looks_again(FunctionState& state,
                                               std::uint32_t control) noexcept {
  return state.mode.load(std::memory_order_relaxed) == FunctionMode::kElided &&
         state.beat.load(std::memory_order_relaxed) != beat_of(control) &&
         reduction_of(control) < Reduction::kNoRearm && rearm(state, beat_of(control));
}

[[gnu::always_inline]] inline void enter(std::uintptr_t function, std::uintptr_t call_site,
                                         const std::uintptr_t* own) noexcept {
  const FunctionRecording recording = g_functions.recording.load(std::memory_order_acquire);
  if (recording == FunctionRecording::kOff) return;
  const ProcessPage& page = process();
  if (__atomic_load_n(&page.state, __ATOMIC_ACQUIRE) != LATIDO_RECORDING ||
      recording == FunctionRecording::kUndecided) [[unlikely]] {
    if (!is_off()) enter_first(function, call_site, own);
    return;
  }
  const std::uint32_t control = control_of(page);
  FunctionState* const state = g_functions.table.load(std::memory_order_relaxed)->find(function);
  if (state != nullptr && state->mode.load(std::memory_order_relaxed) != FunctionMode::kTraced &&
      !looks_again(*state, control)) {
    return;
  }
  if (reduction_of(control) == Reduction::kStepsOnly) return;
  record_enter(state, function, call_site, own);
}

// ---- leave ------------------------------------------------------------------------------------

// The innermost function ends by itself: its time is known.
void record_leave(FunctionStack& stack) noexcept {
  FunctionState& state = *stack.top().state;
  const std::uint64_t begin_ticks = stack.top().begin_ticks;
  const std::uint64_t ticks = read_ticks();
  stack.pop(ticks);
  const std::uint32_t control = control_of(process());
  if (g_functions.recording.load(std::memory_order_relaxed) != FunctionRecording::kFull ||
      reduction_of(control) != Reduction::kNone) {
    count_call(state, ticks - begin_ticks, beat_of(control));
  }
}

// Of what is open, or of what lies deeper than it should.
[[gnu::noinline]] void leave_recorded(std::uintptr_t function, std::uintptr_t call_site,
                                      const std::uintptr_t* own) noexcept {
  FunctionStack& stack = t_functions;
  const auto own_frame = reinterpret_cast<std::uintptr_t>(own);
  if (stack.busy_frame != 0 || t_log.epoch == kBusy) [[unlikely]] {
    return on_busy(stack, own_frame);
  }
  const BusySection busy(stack, own_frame);
  if (stack.epoch() != process().epoch.load(std::memory_order_acquire)) [[unlikely]] {
    return stack.forget();
  }
  const FunctionEntry& top = stack.top();
  if ((top.function == function && top.frame == frame_of(own, call_site)) ||
      stack.close_down_to(hook_call(function, call_site, own))) {
    record_leave(stack);
  }
}

const std::uintptr_t* frame_pointer(void* frame) noexcept {
  return static_cast<const std::uintptr_t*>(frame);
}

std::uintptr_t number_of(void* address) noexcept {
  return reinterpret_cast<std::uintptr_t>(address);
}

}  // namespace

extern "C" {

LATIDO_HOOK void __cyg_profile_func_enter(void* function, void* call_site) {
  enter(number_of(function), number_of(call_site), frame_pointer(__builtin_frame_address(0)));
}

LATIDO_HOOK void __cyg_profile_func_exit(void* function, void* call_site) {
  if (g_functions.recording.load(std::memory_order_relaxed) <= FunctionRecording::kOff) return;
  const std::uintptr_t* const own = frame_pointer(__builtin_frame_address(0));
  // Of a function that is not recorded, deeper than what is: nothing to do.
  if (t_functions.is_within_top(frame_of(own, number_of(call_site)))) return;
  leave_recorded(number_of(function), number_of(call_site), own);
}

}  // extern "C"

}  // namespace latido::capture
