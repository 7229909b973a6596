#include "capture/function_table.h"

namespace latido::capture {

FunctionState* FunctionTable::find_further(std::uintptr_t address) noexcept {
  std::uint32_t slot = slot_of(address);
  for (std::uint32_t probe = 0; probe < kMaxProbes; ++probe, slot = (slot + 1) % kSlots) {
    const std::uint32_t index = index_[slot].load(std::memory_order_acquire);
    if (index == 0) return nullptr;
    if (states_[index].address == address) return &states_[index];
  }
  return &others();
}

FunctionState* FunctionTable::add(std::uintptr_t address, const NativeModule* module,
                                  std::uint32_t generation, std::uint16_t burst_limit) noexcept {
  if (is_full()) return &others();
  const std::uint32_t index = count_.fetch_add(1, std::memory_order_relaxed) + 1;
  if (index > kMaxFunctions) return &others();
  FunctionState& state = states_[index];
  state.address = address;
  state.module.store(module, std::memory_order_relaxed);
  state.generation.store(generation, std::memory_order_relaxed);
  state.burst_limit.store(burst_limit, std::memory_order_relaxed);
  if (module != nullptr && !module->wanted) {
    state.mode.store(FunctionMode::kExcluded, std::memory_order_relaxed);
  }
  std::uint32_t slot = slot_of(address);
  for (std::uint32_t probe = 0; probe < kMaxProbes; ++probe, slot = (slot + 1) % kSlots) {
    std::uint32_t there = 0;
    // Release: pairs with find(), which reads the address. Two threads that add one function meet in the
    // same place, and one of them takes what the other one left.
    if (index_[slot].compare_exchange_strong(there, index, std::memory_order_acq_rel)) {
      return &state;
    }
    if (states_[there].address == address) return &states_[there];
  }
  return &others();
}

}  // namespace latido::capture
