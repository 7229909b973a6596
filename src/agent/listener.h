// Listener: the Unix socket on which recording processes hand over their rings.
//
// Called from the agent's thread only. One message a connection: a Hello with the memfd. Waits for it
// at most 100 ms, which a process that connected sends in far less.
#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "base/result.h"
#include "base/unique_fd.h"
#include "capture/ring_format.h"

namespace latido::agent {

struct NewRing {
  capture::Hello hello;
  pid_t pid = 0;  // as the kernel says, in our PID namespace; 0 when it lies outside of it
  UniqueFd memfd;
};

class Listener {
 public:
  // Binds a socket (mode 0600) at `path`. Errors: kInvalidInput when the path is too long for a socket,
  // kUnavailable when it cannot be bound.
  static Result<Listener> bind(const std::string& path);

  Listener(Listener&&) noexcept = default;
  Listener& operator=(Listener&&) noexcept = default;
  ~Listener();

  int fd() const noexcept { return socket_.get(); }

  // The next ring that waits, if any; without a memfd when the process could not make one. Connections
  // without a proper Hello are closed and skipped.
  std::optional<NewRing> accept();

 private:
  Listener(UniqueFd socket, std::string path)
      : socket_(std::move(socket)), path_(std::move(path)) {}

  UniqueFd socket_;
  std::string path_;
};

}  // namespace latido::agent
