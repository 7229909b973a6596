// StackRegions: in which piece of memory an address lies, by the system's map of this process.
//
// For the rare moment in which two frames may be on different stacks. Remembers the last ones; reading the map
// again takes 0.05 to 1 ms, so each thread may do that a limited number of times.
#pragma once

#include <cstdint>

namespace latido::capture {

// The memory that one stack lies in, or into which it may grow.
struct StackRegion {
  std::uintptr_t low = 0;
  std::uintptr_t high = 0;

  bool holds(std::uintptr_t address) const noexcept { return address - low < high - low; }
};

class StackRegions {
 public:
  // nullptr: there is no such memory, or too many were asked for. Valid until the next call.
  const StackRegion* find(std::uintptr_t address) noexcept;

 private:
  static constexpr std::uint32_t kRemembered = 16;
  static constexpr std::uint32_t kMostReads = 256;

  StackRegion regions_[kRemembered];
  std::uint32_t next_ = 0;
  std::uint32_t reads_ = 0;
};

// Reads it from `maps`, the text of a maps file, in pieces. Keeps no memory of the text.
class MapsScanner {
 public:
  explicit MapsScanner(std::uintptr_t address) noexcept : address_(address) {}

  // Takes the next bytes; true when the region has been found.
  bool scan(const char* bytes, std::uint64_t count) noexcept;
  const StackRegion& region() const noexcept { return region_; }

 private:
  void end_of_number(char c) noexcept;
  void take_rest(char c) noexcept;

  std::uintptr_t address_;
  StackRegion region_;
  std::uintptr_t number_ = 0;
  std::uintptr_t low_ = 0;
  std::uintptr_t before_ = 0;  // where the region before ends
  bool found_ = false;
  char last_ = 0;  // of the rest
  enum class Part : std::uint8_t { kLow, kHigh, kRest } part_ = Part::kLow;
};

}  // namespace latido::capture
