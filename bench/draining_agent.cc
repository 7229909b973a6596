#include "draining_agent.h"

#include <poll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/ring_format.h"

namespace latido::bench {
namespace {

using capture::ChunkHeader;
using capture::ChunkState;

void must(bool ok, const char* what) {
  if (ok) return;
  std::perror(what);
  std::exit(1);
}

// The descriptor of the ring in the first message on `listener`; -1 when none comes within 100 ms.
int receive_ring(int listener) {
  pollfd ready{listener, POLLIN, 0};
  if (poll(&ready, 1, 100) != 1) return -1;
  const int link = accept(listener, nullptr, nullptr);
  must(link >= 0, "accept");
  capture::Hello hello{};
  iovec body{&hello, sizeof hello};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &body;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  must(recvmsg(link, &message, MSG_CMSG_CLOEXEC) == sizeof hello, "recvmsg");
  int ring = -1;
  std::memcpy(&ring, CMSG_DATA(CMSG_FIRSTHDR(&message)), sizeof ring);
  close(link);
  return ring;
}

void give_back_sealed(std::byte* ring) {
  auto* const chunks = static_cast<ChunkHeader*>(static_cast<void*>(ring + capture::kPageBytes));
  for (std::uint32_t i = 0; i < capture::kChunkCount; ++i) {
    ChunkHeader& chunk = chunks[i];
    if (chunk.state.load(std::memory_order_acquire) !=
        static_cast<std::uint32_t>(ChunkState::kSealed)) {
      continue;
    }
    std::memset(ring + capture::kFirstChunkOffset + i * capture::kChunkBytes, 0,
                capture::kChunkBytes);
    chunk.ended.store(0, std::memory_order_relaxed);
    chunk.lease.store(0, std::memory_order_relaxed);
    chunk.state.store(static_cast<std::uint32_t>(ChunkState::kFree), std::memory_order_release);
  }
}

}  // namespace

DrainingAgent::DrainingAgent() {
  std::array<char, 32> folder{"/tmp/latido-bench-XXXXXX"};
  must(mkdtemp(folder.data()) != nullptr, "mkdtemp");
  folder_ = folder.data();
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  const std::string path = folder_ + "/agent";
  path.copy(address.sun_path, sizeof address.sun_path - 1);
  listener_ = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  const auto* const generic = static_cast<const sockaddr*>(static_cast<const void*>(&address));
  must(bind(listener_, generic, sizeof address) == 0 && listen(listener_, 4096) == 0, "listen");
  must(setenv("LATIDO_SOCKET", path.c_str(), 1) == 0, "setenv");
  thread_ = std::thread([this] { run(); });
}

DrainingAgent::~DrainingAgent() {
  stop_ = true;
  thread_.join();
  close(listener_);
  unlink((folder_ + "/agent").c_str());
  rmdir(folder_.c_str());
}

void DrainingAgent::run() {
  int fd = -1;
  while (!stop_ && fd < 0) fd = receive_ring(listener_);
  if (fd < 0) return;
  void* const ring = mmap(nullptr, capture::kRingBytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  must(ring != MAP_FAILED, "mmap");
  close(fd);
  static_cast<capture::RingHeader*>(ring)->control.store(
      capture::control_word({.chunks = capture::kChunkCount}));
  while (!stop_) {
    if (!paused_) give_back_sealed(static_cast<std::byte*>(ring));
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
}

}  // namespace latido::bench
