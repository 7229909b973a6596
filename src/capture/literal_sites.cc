#include "capture/literal_sites.h"

namespace latido::capture {

std::uint64_t* LiteralSites::find(const char* name) noexcept {
  const std::uint64_t mixed = reinterpret_cast<std::uintptr_t>(name) * 0x9E3779B97F4A7C15U;
  auto index = static_cast<std::size_t>(mixed >> 32) % kSlots;
  for (;; index = (index + 1) % kSlots) {
    Slot& slot = slots_[index];
    const char* there = slot.name.load(std::memory_order_acquire);
    if (there == nullptr) {
      // Counted first, so that a free slot always remains and the search always ends.
      if (names_.fetch_add(1, std::memory_order_relaxed) >= kMaxNames) {
        names_.fetch_sub(1, std::memory_order_relaxed);
        return nullptr;
      }
      if (slot.name.compare_exchange_strong(there, name, std::memory_order_acq_rel)) {
        return &slot.tagged_id;
      }
      names_.fetch_sub(1, std::memory_order_relaxed);
    }
    if (there == name) return &slot.tagged_id;
  }
}

}  // namespace latido::capture
