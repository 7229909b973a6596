#include "capture/stack_region.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "capture/errno_kept.h"

namespace latido::capture {
namespace {

bool read_region(std::uintptr_t address, StackRegion& region) noexcept {
  const ErrnoKept errno_kept;
  const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    region = {0, UINTPTR_MAX};  // no /proc here: all is taken for one stack
    return true;
  }
  MapsScanner scanner(address);
  char bytes[512];  // the stack of a signal handler may be small
  bool found = false;
  while (!found) {
    const ssize_t count = read(file, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) break;
    found = scanner.scan(bytes, static_cast<std::uint64_t>(count));
  }
  close(file);
  region = scanner.region();
  return found;
}

}  // namespace

void MapsScanner::end_of_number(char c) noexcept {
  if (part_ == Part::kLow && c == '-') {
    low_ = number_;
    part_ = Part::kHigh;
  } else if (part_ == Part::kHigh && c == ' ') {
    part_ = Part::kRest;
    found_ = address_ >= low_ && address_ < number_;
    if (found_) {
      region_ = {low_, number_};
    } else {
      before_ = number_;
    }
  }
  number_ = 0;
}

// "[stack]", the main thread's, grows downwards; the system keeps a gap of 128 MiB for that.
void MapsScanner::take_rest(char c) noexcept {
  constexpr std::uintptr_t kGrowthBytes = std::uintptr_t{64} << 20;
  if (found_ && last_ == '[' && c == 's') {
    const std::uintptr_t lowest = region_.high > kGrowthBytes ? region_.high - kGrowthBytes : 0;
    region_.low = lowest < before_ ? before_ : lowest < region_.low ? lowest : region_.low;
  }
  last_ = c;
}

bool MapsScanner::scan(const char* bytes, std::uint64_t count) noexcept {
  for (std::uint64_t i = 0; i < count; ++i) {
    const char c = bytes[i];
    if (c == '\n') {
      if (found_) return true;
      part_ = Part::kLow;
      number_ = 0;
    } else if (part_ == Part::kRest) {
      take_rest(c);
    } else if (c >= '0' && c <= '9') {
      number_ = number_ << 4 | static_cast<std::uintptr_t>(c - '0');
    } else if (c >= 'a' && c <= 'f') {
      number_ = number_ << 4 | static_cast<std::uintptr_t>(c - 'a' + 10);
    } else {
      end_of_number(c);
    }
  }
  return false;
}

const StackRegion* StackRegions::find(std::uintptr_t address) noexcept {
  for (const StackRegion& region : regions_) {
    if (region.holds(address)) return &region;
  }
  if (reads_ >= kMostReads) return nullptr;
  ++reads_;
  StackRegion found;
  if (!read_region(address, found)) return nullptr;
  StackRegion& place = regions_[next_];
  next_ = (next_ + 1) % kRemembered;
  place = found;
  return &place;
}

}  // namespace latido::capture
