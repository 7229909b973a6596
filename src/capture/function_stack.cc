#include "capture/function_stack.h"

#include <sys/mman.h>

#include <new>

#include "capture/errno_kept.h"
#include "capture/stack_region.h"
#include "capture/zone_record.h"

namespace latido::capture {

// Above every frame, so that nothing closes it.
constinit FunctionEntry FunctionStack::kBottom{.frame = UINTPTR_MAX};
constinit thread_local FunctionStack t_functions;

struct FunctionStack::Memory {
  StackRegions regions;
  FunctionEntry entries[kMaxDepth + 1];
};

bool FunctionStack::prepare(std::uint32_t epoch) noexcept {
  if (memory_ == nullptr) {
    const ErrnoKept errno_kept;
    void* const memory = mmap(nullptr, sizeof(Memory), PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) return false;
    memory_ = static_cast<Memory*>(memory);  // all its members are well when zero
    entries_ = memory_->entries;
    entries_[0] = kBottom;
    last_ = entries_ + kMaxDepth;
  }
  if (epoch_ != epoch) {
    epoch_ = epoch;
    forget();
  }
  return true;
}

void FunctionStack::release() noexcept {
  if (memory_ != nullptr) munmap(memory_, sizeof(Memory));
  *this = FunctionStack{};
}

void FunctionStack::pop(std::uint64_t ticks) noexcept {
  const FunctionEntry& entry = *top_--;
  end_zone(t_log, epoch_, __atomic_load_n(&entry.state->tagged_id, __ATOMIC_RELAXED), ticks);
}

// Makes the top an entry on the stack that `frame` is on, if there is one: those above it belong to stacks
// that were left. False when the stack of `frame` is not known.
bool FunctionStack::enter_stack_of(std::uintptr_t frame) noexcept {
  constexpr std::ptrdiff_t kMostEntries = 256;
  const StackRegion* const region = memory_->regions.find(frame);
  if (region == nullptr) return false;
  FunctionEntry* entry = top_;
  while (entry->function != 0 && !region->holds(entry->frame)) {
    if (top_ - --entry > kMostEntries) return true;
  }
  if (entry->function == 0) return true;
  const std::uint64_t ticks = read_ticks();
  while (top_ != entry) pop(ticks);
  return true;
}

bool FunctionStack::close_before(const HookCall& call) noexcept {
  if (is_empty()) return true;
  if (!enter_stack_of(call.frame)) return false;
  const StackRegion& region = *memory_->regions.find(call.frame);
  const std::uint64_t ticks = read_ticks();
  while (region.holds(top_->frame) && top_->frame < call.frame) pop(ticks);
  // Functions that the compiler has put into one another share a frame and its call site. The same place in
  // the code, or another call site, is a later call.
  while (top_->frame == call.frame && top_->call_site != call.call_site) pop(ticks);
  for (FunctionEntry* same = top_; same->frame == call.frame; --same) {
    if (same->at != call.at) continue;
    while (top_ >= same) pop(ticks);
    break;
  }
  return true;
}

bool FunctionStack::close_down_to(const HookCall& call) noexcept {
  if (is_empty() || !enter_stack_of(call.frame)) return false;
  const StackRegion& region = *memory_->regions.find(call.frame);
  FunctionEntry* entry = top_;
  while (region.holds(entry->frame) && entry->frame <= call.frame &&
         entry->function != call.function) {
    --entry;
  }
  const bool found =
      entry->function == call.function && region.holds(entry->frame) && entry->frame <= call.frame;
  const std::uint64_t ticks = read_ticks();
  if (found) {
    while (top_ != entry) pop(ticks);
  } else {
    while (region.holds(top_->frame) && top_->frame < call.frame) pop(ticks);
  }
  return found;
}

}  // namespace latido::capture
