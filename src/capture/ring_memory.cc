#include "capture/ring_memory.h"

#include <errno.h>
#include <sys/mman.h>

namespace latido::capture {
namespace {

#ifdef MADV_POPULATE_WRITE
constexpr int kPopulateWrite = MADV_POPULATE_WRITE;
#else
constexpr int kPopulateWrite = 23;
#endif

}  // namespace

bool back_with_memory(void* begin, std::size_t size_bytes) noexcept {
  return madvise(begin, size_bytes, kPopulateWrite) == 0 || (errno != ENOMEM && errno != EFAULT);
}

}  // namespace latido::capture
