// NativeModules: the programs and shared libraries that recorded functions belong to.
//
// Asked at a function's first use only, from any thread. No locks, no allocation but pages of its own; modules
// are never forgotten, so what a name refers to stays after dlclose.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "capture/glob.h"

namespace latido::capture {

inline constexpr std::size_t kMaxModuleNameBytes = 128;
inline constexpr std::size_t kMaxIdentityBytes = 96;
inline constexpr std::size_t kMaxModulePathBytes = 1024;
inline constexpr std::size_t kMaxNativeNameBytes =
    kMaxModuleNameBytes + kMaxIdentityBytes + sizeof "+0x0123456789abcdef#";

struct NativeModule {
  std::atomic<bool> ready{false};
  bool wanted = false;           // by the user's patterns
  std::uintptr_t start = 0;      // of its memory
  std::uintptr_t load_bias = 0;  // address in memory − address in the file
  std::uint32_t generation = 0;
  char name[kMaxModuleNameBytes] = {};    // of the file, without folders
  char identity[kMaxIdentityBytes] = {};  // docs/formats/ring.md
  char path[kMaxModulePathBytes] = {};    // absolute
};

class NativeModules {
 public:
  static constexpr std::uint32_t kMaxModules = 1024;

  // The module around `address`; nullptr when there is none or there are too many. `generation`: how often
  // unloaded_any() has said so; a module without a build id is only known again within one.
  const NativeModule* find(std::uintptr_t address, const FunctionPatterns& patterns,
                           std::uint32_t generation) noexcept;

  // True when a module may have been unloaded since the last call that said so.
  bool unloaded_any() noexcept;

 private:
  const NativeModule* known(std::uintptr_t start, std::uintptr_t load_bias, const char* build_id,
                            std::uint32_t generation) const noexcept;

  std::atomic<unsigned long long> unloads_{0};
  std::atomic<std::uint32_t> count_{0};
  NativeModule modules_[kMaxModules];
};

// Writes "<name>+0x<address>#<identity>" and its zero into `into`, which has kMaxNativeNameBytes.
void write_native_name(const NativeModule& module, std::uintptr_t address, char* into) noexcept;

}  // namespace latido::capture
