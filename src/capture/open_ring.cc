#include "capture/open_ring.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "capture/clock_source.h"
#include "capture/ring_memory.h"

namespace latido::capture {
namespace {

#ifdef MFD_NOEXEC_SEAL
constexpr unsigned kNoExecSeal = MFD_NOEXEC_SEAL;
#else
constexpr unsigned kNoExecSeal = 8;
#endif

constexpr int kConnectTries = 10;
constexpr long kConnectPauseNs = 2'000'000;

// Where the ring of this process, or of the one it was forked from, is mapped. A child maps its own
// over the inherited one: the parent's memory is let go, and a stray store can only hit its own
// ring.
constinit std::atomic<void*> g_mapping{nullptr};

class Descriptor {
 public:
  explicit Descriptor(int fd) noexcept : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int get() const noexcept { return fd_; }
  explicit operator bool() const noexcept { return fd_ >= 0; }

 private:
  int fd_;
};

bool disabled() noexcept {
  const char* const value = secure_getenv("LATIDO_DISABLE");
  return value != nullptr && value[0] != '\0' && strcmp(value, "0") != 0;
}

// The address of LATIDO_SOCKET; false when there is none or it is too long for one.
bool agent_address(sockaddr_un& address) noexcept {
  const char* const path = secure_getenv("LATIDO_SOCKET");
  if (path == nullptr || path[0] == '\0') return false;
  const std::size_t length = strnlen(path, sizeof address.sun_path);
  if (length == sizeof address.sun_path) return false;
  address.sun_family = AF_UNIX;
  memcpy(address.sun_path, path, length + 1);
  return true;
}

// EAGAIN means that the agent's backlog is full, as when 200 children start at once: worth a few
// tries.
bool connect_to_agent(int fd, const sockaddr_un& address) noexcept {
  for (int tries = 0; tries < kConnectTries; ++tries) {
    if (connect(fd, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0) return true;
    if (errno != EAGAIN && errno != EINTR) return false;
    const timespec pause{0, kConnectPauseNs};
    nanosleep(&pause, nullptr);
  }
  return false;
}

// A file beyond RLIMIT_FSIZE would bring SIGXFSZ upon the program.
bool file_size_allowed() noexcept {
  rlimit limit{};
  return getrlimit(RLIMIT_FSIZE, &limit) == 0 && limit.rlim_cur >= kRingBytes;
}

int make_memfd() noexcept {
  constexpr unsigned flags = MFD_CLOEXEC | MFD_ALLOW_SEALING;
  const int fd = memfd_create("latido-ring", flags | kNoExecSeal);
  if (fd >= 0 || errno != EINVAL) return fd;
  return memfd_create("latido-ring", flags);  // before Linux 6.3
}

bool size_and_seal(int fd) noexcept {
  return fchmod(fd, S_IRUSR | S_IWUSR) == 0 && ftruncate(fd, static_cast<off_t>(kRingBytes)) == 0 &&
         fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) == 0;
}

void* map_ring(int fd) noexcept {
  void* const inherited = g_mapping.load(std::memory_order_relaxed);
  const int flags = MAP_SHARED | (inherited != nullptr ? MAP_FIXED : 0);
  return mmap(inherited, kRingBytes, PROT_READ | PROT_WRITE, flags, fd, 0);
}

// An inherited address keeps being ours: nothing else may be mapped there while a thread could hold
// it.
void unmap_ring(void* ring) noexcept {
  if (g_mapping.load(std::memory_order_relaxed) == nullptr) {
    munmap(ring, kRingBytes);
    return;
  }
  static_cast<void>(mmap(ring, kRingBytes, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0));
}

std::uint64_t make_exec_id(const void* ring) noexcept {
  std::uint64_t id = 0;
  if (getrandom(&id, sizeof id, GRND_NONBLOCK) == sizeof id && id != 0) return id;
  return read_ticks() * 0x9E3779B97F4A7C15U ^ reinterpret_cast<std::uintptr_t>(ring) ^
         static_cast<std::uint64_t>(getpid());
}

// False when the system cannot back the pages: better to learn it here than by a SIGBUS.
bool fill_header(void* ring) noexcept {
  if (!back_with_memory(ring, kFirstChunkOffset)) return false;
  madvise(ring, kRingBytes, MADV_DONTDUMP);  // a core file does not grow by it
  RingHeader& header = *static_cast<RingHeader*>(ring);
  header.magic = kRingMagic;
  header.version = kRingVersion;
  header.chunk_count = kChunkCount;
  header.clock = kClock;
  header.pid = static_cast<std::uint32_t>(getpid());
  header.exec_id = make_exec_id(ring);
  header.control.store(control_word({.chunks = g_start_chunks}), std::memory_order_relaxed);
  return true;
}

// Without a ring when `ring_fd` is negative.
bool send_hello(int socket_fd, int ring_fd, std::uint64_t exec_id) noexcept {
  Hello hello{kRingMagic, kRingVersion, static_cast<std::uint32_t>(getpid()), exec_id};
  iovec body{&hello, sizeof hello};
  alignas(cmsghdr) char control[CMSG_SPACE(sizeof(int))] = {};
  msghdr message{};
  message.msg_iov = &body;
  message.msg_iovlen = 1;
  if (ring_fd >= 0) {
    message.msg_control = control;
    message.msg_controllen = sizeof control;
    cmsghdr* const rights = CMSG_FIRSTHDR(&message);
    rights->cmsg_level = SOL_SOCKET;
    rights->cmsg_type = SCM_RIGHTS;
    rights->cmsg_len = CMSG_LEN(sizeof(int));
    memcpy(CMSG_DATA(rights), &ring_fd, sizeof ring_fd);
  }
  return sendmsg(socket_fd, &message, MSG_NOSIGNAL | MSG_DONTWAIT) == sizeof hello;
}

// A ring that the agent behind `link` has been given; nullptr when the system refuses the memory.
void* make_ring(int link) noexcept {
  if (!file_size_allowed()) return nullptr;
  const Descriptor memory(make_memfd());
  if (!memory || !size_and_seal(memory.get())) return nullptr;
  void* const ring = map_ring(memory.get());
  if (ring == MAP_FAILED) return nullptr;
  if (fill_header(ring) &&
      send_hello(link, memory.get(), static_cast<const RingHeader*>(ring)->exec_id)) {
    return ring;
  }
  unmap_ring(ring);
  return nullptr;
}

void* open_with_agent() noexcept {
  sockaddr_un address{};
  if (disabled() || !agent_address(address)) return nullptr;
  const Descriptor link(socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  if (!link || !connect_to_agent(link.get(), address)) return nullptr;
  void* const ring = make_ring(link.get());
  // The program is not told: that is left to the agent's report.
  if (ring == nullptr) send_hello(link.get(), -1, 0);
  return ring;
}

}  // namespace

constinit std::uint32_t g_start_chunks = kStartChunks;

void* open_ring() noexcept {
  void* const ring = open_with_agent();
  if (ring != nullptr) {
    g_mapping.store(ring, std::memory_order_relaxed);
  } else if (void* const inherited = g_mapping.load(std::memory_order_relaxed)) {
    unmap_ring(inherited);
  }
  return ring;
}

}  // namespace latido::capture
