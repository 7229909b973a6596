#include "stacks/memory_source.h"

#include <sys/uio.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <string>

namespace latido::stacks {
namespace {

constexpr std::size_t kMaxRangesPerCall = 1024;  // UIO_MAXIOV of the kernel

}  // namespace

Error not_permitted(pid_t pid) {
  return {ErrorCode::kUnavailable,
          "not permitted to read the memory of process " + std::to_string(pid) +
              ": run as its user with kernel.yama.ptrace_scope=0, or with the capability "
              "CAP_SYS_PTRACE (in a container: --cap-add=SYS_PTRACE)"};
}

Error process_gone(pid_t pid) {
  return {ErrorCode::kNotFound, "process " + std::to_string(pid) + " does not exist (any more)"};
}

// The kernel copies whole ranges until one fails. The failed one is skipped and the rest asked for
// again, so that one bad pointer costs one call and not the batch.
Status ProcessMemory::read(std::span<MemoryRange> ranges) {
  std::array<iovec, kMaxRangesPerCall> remote;  // NOLINT: filled below
  std::array<iovec, kMaxRangesPerCall> local;   // NOLINT: filled below
  std::size_t at = 0;
  while (at < ranges.size()) {
    const std::size_t count = std::min(ranges.size() - at, kMaxRangesPerCall);
    for (std::size_t k = 0; k < count; ++k) {
      const MemoryRange& range = ranges[at + k];
      // An address of the other process is a number here.
      remote[k] = {reinterpret_cast<void*>(range.address), range.into.size()};  // NOLINT
      local[k] = {range.into.data(), range.into.size()};
    }
    const ssize_t got = ::process_vm_readv(pid_, local.data(), count, remote.data(), count, 0);
    if (got < 0 && errno == ESRCH) return process_gone(pid_);
    if (got < 0 && errno == EPERM) return not_permitted(pid_);
    if (got < 0 && errno != EFAULT) return errno_error(errno, "process_vm_readv");
    std::size_t left = got < 0 ? 0 : static_cast<std::size_t>(got);
    std::size_t done = 0;
    while (done < count && left >= ranges[at + done].into.size()) {
      left -= ranges[at + done].into.size();
      ranges[at + done++].copied = true;
    }
    at += done < count ? done + 1 : done;
  }
  return ok();
}

}  // namespace latido::stacks
