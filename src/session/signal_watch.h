// SignalWatch: takes the signals that a person or a scheduler sends to `latido run`, as a descriptor.
//
// Blocks them for this process while it lives; the program gets them unblocked (ChildProcess).
#pragma once

#include <csignal>
#include <optional>

#include "base/result.h"
#include "base/unique_fd.h"

namespace latido::session {

struct SeenSignal {
  int signal = 0;
  bool from_terminal = false;  // raised by the kernel for the whole foreground group
};

class SignalWatch {
 public:
  // Errors: kExhausted when there is no descriptor left.
  static Result<SignalWatch> start();

  SignalWatch(SignalWatch&&) noexcept = default;
  SignalWatch& operator=(SignalWatch&&) noexcept = default;
  ~SignalWatch();

  int fd() const noexcept { return fd_.get(); }
  std::optional<SeenSignal> next();

 private:
  SignalWatch(UniqueFd fd, sigset_t before) : fd_(std::move(fd)), before_(before) {}

  UniqueFd fd_;
  sigset_t before_;
};

}  // namespace latido::session
