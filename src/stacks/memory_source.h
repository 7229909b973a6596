// MemorySource: the seam to another process's memory, and its production side, process_vm_readv.
//
// Called from the sampling thread only. Reading neither stops nor changes the other process.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <span>

#include "base/result.h"

namespace latido::stacks {

// One range to copy. `into` must stay valid during the read.
struct MemoryRange {
  std::uint64_t address = 0;
  std::span<std::byte> into;
  bool copied = false;  // set by read(): all of it, or none
};

class MemorySource {
 public:
  virtual ~MemorySource() = default;
  // Copies the ranges in their order. A range that is not mapped is no error, it is not `copied`.
  // kNotFound: the process is gone. kUnavailable: not permitted, the sentence says what would help.
  virtual Status read(std::span<MemoryRange> ranges) = 0;
};

class ProcessMemory final : public MemorySource {
 public:
  explicit ProcessMemory(pid_t pid) noexcept : pid_(pid) {}
  Status read(std::span<MemoryRange> ranges) override;

 private:
  pid_t pid_;
};

// What to tell a user whose process may not be read; `pid` is named in it.
Error not_permitted(pid_t pid);

// That process `pid` has ended.
Error process_gone(pid_t pid);

}  // namespace latido::stacks
