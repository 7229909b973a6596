// SignalsBlocked: no signal handler runs on this thread meanwhile. For what must be finished once it is begun: a
// handler that leaves by siglongjmp would leave it half done for ever.
#pragma once

#include <signal.h>

namespace latido::capture {

class SignalsBlocked {
 public:
  SignalsBlocked() noexcept {
    sigset_t all;
    sigfillset(&all);
    blocked_ = pthread_sigmask(SIG_SETMASK, &all, &before_) == 0;
  }
  ~SignalsBlocked() {
    if (blocked_) pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalsBlocked(const SignalsBlocked&) = delete;
  SignalsBlocked& operator=(const SignalsBlocked&) = delete;

 private:
  sigset_t before_;
  bool blocked_ = false;
};

}  // namespace latido::capture
