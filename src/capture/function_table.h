// FunctionTable: what is known of each instrumented C or C++ function, found by its address.
//
// Open addressing, bounded, never shrinks; no locks. Every hook looks up here, so the lookup is in the
// header and a function's state is one cache line.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/function_modules.h"

namespace latido::capture {

enum class FunctionMode : std::uint8_t {
  kTraced,
  kElided,    // not recorded now: each call costs more to record than it is worth
  kExcluded,  // by the user's patterns
};

// Counts of several threads may lose a call now and then: nothing is locked for them.
struct alignas(64) FunctionState {
  std::uintptr_t address = 0;
  std::uint64_t tagged_id = 0;  // SiteRef::tagged_id
  std::atomic<const NativeModule*> module{nullptr};
  std::atomic<std::uint64_t> burst_ticks{0};
  std::atomic<std::uint64_t> calls{0};  // seen
  std::atomic<std::uint32_t> burst_calls{0};
  std::atomic<std::uint32_t> generation{0};   // of the modules, when this was found
  std::atomic<std::uint16_t> burst_limit{0};  // calls after which it is judged
  std::atomic<FunctionMode> mode{FunctionMode::kTraced};
  std::atomic<std::uint8_t> beat{0};  // in which it was elided or looked at last
};
static_assert(sizeof(FunctionState) == 64);

class FunctionTable {
 public:
  static constexpr std::uint32_t kMaxFunctions = 1U << 17;  // half of a ring's ids: zones need some

  // nullptr when it is not there yet.
  FunctionState* find(std::uintptr_t address) noexcept {
    const std::uint32_t index = index_[slot_of(address)].load(std::memory_order_acquire);
    FunctionState* const state = &states_[index];
    return state->address == address ? state : find_further(address);
  }

  // Adds it, to be judged after `burst_limit` calls. Where it finds no place: that of all such functions,
  // with address 0.
  FunctionState* add(std::uintptr_t address, const NativeModule* module, std::uint32_t generation,
                     std::uint16_t burst_limit) noexcept;
  FunctionState& others() noexcept { return states_[0]; }
  bool is_full() const noexcept { return count_.load(std::memory_order_relaxed) >= kMaxFunctions; }

 private:
  static constexpr unsigned kSlotBits = 18;
  static constexpr std::uint32_t kSlots = 1U << kSlotBits;
  static constexpr std::uint32_t kMaxProbes = 256;

  static std::uint32_t slot_of(std::uintptr_t address) noexcept {
    return static_cast<std::uint32_t>(address * 0x9E37'79B9'7F4A'7C15U >> (64 - kSlotBits));
  }
  FunctionState* find_further(std::uintptr_t address) noexcept;

  std::atomic<std::uint32_t> count_{0};
  std::atomic<std::uint32_t> index_[kSlots];  // 0: free; else of the state
  FunctionState states_[kMaxFunctions + 1];   // the first one is that of the others
};

}  // namespace latido::capture
