// FunctionStack: the open recorded functions of one thread, and how those are found whose exit never came.
//
// Used by the hooks (function_hooks.cc) on their own thread. An entry knows its frame: a frame that lies
// below the present one on the same stack is gone, by an exception or longjmp. Where the stack is another one
// (sigaltstack, makecontext) addresses say nothing; then the system's map of memory tells stacks apart.
#pragma once

#include <cstddef>
#include <cstdint>

#include "capture/function_table.h"
#include "capture/thread_log.h"

namespace latido::capture {

// Where a hook was called from.
struct HookCall {
  std::uintptr_t function = 0;
  std::uintptr_t call_site = 0;  // in the function's caller
  std::uintptr_t at = 0;         // in the function
  // Of the function: its frame pointer where it has one, else the stack pointer at the call. Either lies
  // above all frames of what it calls.
  std::uintptr_t frame = 0;
};

struct FunctionEntry {
  std::uintptr_t frame = 0;
  std::uintptr_t function = 0;
  FunctionState* state = nullptr;
  std::uint64_t begin_ticks = 0;
  std::uintptr_t call_site = 0;
  std::uintptr_t at = 0;
};

class FunctionStack {
 public:
  // As many as a chunk of the ring has words for.
  static constexpr std::size_t kMaxDepth = 8192;
  // Frames further apart than this may be on different stacks.
  static constexpr std::uintptr_t kFarBytes = std::uintptr_t{1} << 20;

  bool has_room() const noexcept { return top_ != last_; }
  bool is_empty() const noexcept { return top_->function == 0; }
  const FunctionEntry& top() const noexcept { return *top_; }
  // Whether `frame` is surely one that the innermost open function has called: nothing is to be closed.
  bool is_within_top(std::uintptr_t frame) const noexcept {
    return top_->frame - frame - 1 < kFarBytes || top_->function == 0;
  }

  // Makes memory for the thread at its first use, and forgets what a fork left. False: there is none.
  bool prepare(std::uint32_t epoch) noexcept;
  std::uint32_t epoch() const noexcept { return epoch_; }

  // Only with room.
  void push(const HookCall& call, FunctionState& state, std::uint64_t begin_ticks) noexcept {
    *++top_ = {.frame = call.frame,
               .function = call.function,
               .state = &state,
               .begin_ticks = begin_ticks,
               .call_site = call.call_site,
               .at = call.at};
  }
  // The innermost one ends now. Not when empty.
  void pop(std::uint64_t ticks) noexcept;

  // Before `call` begins: ends what must be over. False when it is not known on which stack that is.
  bool close_before(const HookCall& call) noexcept;
  // `call` ends: ends what must be over, and leaves its entry on top. False when it has none.
  bool close_down_to(const HookCall& call) noexcept;

  // Of the hook that is at work, for one in a signal handler that interrupts it; 0: none is.
  std::uintptr_t busy_frame = 0;

  // The thread is about to end. It may be used again afterwards.
  void release() noexcept;
  // Everything open has been closed in another way.
  void forget() noexcept { top_ = entries_ != nullptr ? entries_ : &kBottom; }

 private:
  struct Memory;
  static FunctionEntry kBottom;  // of a thread that has no memory yet; never written

  bool enter_stack_of(std::uintptr_t frame) noexcept;

  FunctionEntry* top_ = &kBottom;
  FunctionEntry* last_ = &kBottom;
  FunctionEntry* entries_ = nullptr;  // the first one is a bottom too
  Memory* memory_ = nullptr;
  std::uint32_t epoch_ = 0;
};

extern constinit thread_local FunctionStack t_functions;

}  // namespace latido::capture
