// FunctionPolicy: which instrumented functions are recorded: off or on, included or not, and elided when a call
// takes next to nothing.
//
// Used by the hooks (function_hooks.cc), on every thread. No locks; states and counts are approximate where
// threads meet.
#pragma once

#include <atomic>
#include <cstdint>

#include "capture/function_table.h"
#include "capture/ring_format.h"

namespace latido::capture {

enum class FunctionRecording : std::uint8_t { kUndecided, kOff, kAdaptive, kFull };

// What every hook reads, in one cache line; the parts that change do so about once a second.
struct alignas(64) FunctionPolicy {
  std::atomic<FunctionRecording> recording{FunctionRecording::kUndecided};
  std::atomic<std::uint8_t> beat{0};         // when modules were last looked at
  std::atomic<std::uint32_t> generation{0};  // of the modules: changes when one was unloaded
  std::atomic<FunctionTable*> table{nullptr};
  std::atomic<NativeModules*> modules{nullptr};
};
extern constinit FunctionPolicy g_functions;

// At the first hook of the program. What threads meet meanwhile is dropped and counted: take_early_drops().
FunctionRecording decide_functions() noexcept;
std::uint64_t take_early_drops() noexcept;

// A function that was not met before.
FunctionState* add_function(std::uintptr_t address) noexcept;
// Modules have changed since `state` was found: another one may lie there now.
void look_again(FunctionState& state) noexcept;
// A second has passed since modules were looked at. One of the threads does it.
void look_at_modules(std::uint8_t beat) noexcept;

// In each beat another part of the elided functions has its turn, so that however many there are, about as
// many are looked at. False: `state` stays elided.
bool rearm(FunctionState& state, std::uint8_t beat) noexcept;
// A call of `state` took so long; elides it when enough of them were too short. Not in full recording.
void count_call(FunctionState& state, std::uint64_t ticks, std::uint8_t beat) noexcept;

// Begins a call of `state` in the ring where the fast way does not do.
bool begin_slowly(FunctionState& state) noexcept;

}  // namespace latido::capture
