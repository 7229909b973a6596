#include "agent/listener.h"

#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "agent/ring_budget.h"

namespace latido::agent {
namespace {

// Takes the descriptor of the first SCM_RIGHTS message and closes any further ones.
UniqueFd take_descriptor(msghdr& message) {
  UniqueFd taken;
  for (cmsghdr* part = CMSG_FIRSTHDR(&message); part != nullptr;
       part = CMSG_NXTHDR(&message, part)) {
    if (part->cmsg_level != SOL_SOCKET || part->cmsg_type != SCM_RIGHTS) continue;
    const std::size_t count = (part->cmsg_len - CMSG_LEN(0)) / sizeof(int);
    for (std::size_t i = 0; i < count; ++i) {
      int fd = -1;
      std::memcpy(&fd, CMSG_DATA(part) + i * sizeof(int), sizeof(int));
      UniqueFd owned(fd);
      if (!taken) taken = std::move(owned);
    }
  }
  return taken;
}

std::optional<NewRing> receive_hello(int connection) {
  NewRing ring{.hello = {}, .pid = 0, .memfd = {}};
  iovec body{.iov_base = &ring.hello, .iov_len = sizeof(ring.hello)};
  alignas(cmsghdr) std::array<char, CMSG_SPACE(4 * sizeof(int))> control{};
  msghdr message{};
  message.msg_iov = &body;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  const ssize_t size = ::recvmsg(connection, &message, MSG_CMSG_CLOEXEC);
  if (size < 0) return std::nullopt;
  ring.memfd = take_descriptor(message);
  if (size != static_cast<ssize_t>(sizeof(ring.hello))) return std::nullopt;
  if (ring.hello.magic != capture::kRingMagic) return std::nullopt;
  ucred peer{};
  socklen_t length = sizeof(peer);
  if (::getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &peer, &length) == 0) ring.pid = peer.pid;
  return ring;
}

}  // namespace

Result<Listener> Listener::bind(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.size() >= sizeof(address.sun_path)) {
    return Error{ErrorCode::kInvalidInput, "the path is too long for a socket: " + path};
  }
  std::memcpy(address.sun_path, path.c_str(), path.size() + 1);
  UniqueFd socket(::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_NONBLOCK | SOCK_CLOEXEC, 0));
  if (!socket) return errno_error(errno, "creating the agent's socket");
  // The umask is process-wide, so the mode is set on the socket itself before it has a name.
  ::fchmod(socket.get(), S_IRUSR | S_IWUSR);
  if (::bind(socket.get(), reinterpret_cast<sockaddr*>(&address), sizeof(address)) != 0) {
    return errno_error(errno, "binding the agent's socket at " + path);
  }
  ::chmod(path.c_str(), S_IRUSR | S_IWUSR);
  if (::listen(socket.get(), kListenBacklog) != 0)
    return errno_error(errno, "listening at " + path);
  return Listener(std::move(socket), path);
}

Listener::~Listener() {
  if (socket_) ::unlink(path_.c_str());
}

std::optional<NewRing> Listener::accept() {
  while (true) {
    const UniqueFd connection(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC));
    if (!connection) return std::nullopt;
    // A Hello comes right after connecting; waiting longer would let a hostile process stall us.
    const timeval limit{.tv_sec = 0, .tv_usec = 100'000};
    ::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof(limit));
    if (auto ring = receive_hello(connection.get())) return ring;
  }
}

}  // namespace latido::agent
