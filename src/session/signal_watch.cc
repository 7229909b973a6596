#include "session/signal_watch.h"

#include <sys/signalfd.h>
#include <unistd.h>

#include <cerrno>

namespace latido::session {

Result<SignalWatch> SignalWatch::start() {
  sigset_t watched;
  ::sigemptyset(&watched);
  // The last two are about our own writes, to a closed stderr or a full disk: errors then, no end.
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGPIPE, SIGXFSZ}) {
    ::sigaddset(&watched, signal);
  }
  sigset_t before;
  ::sigprocmask(SIG_BLOCK, &watched, &before);
  UniqueFd fd(::signalfd(-1, &watched, SFD_NONBLOCK | SFD_CLOEXEC));
  if (!fd) {
    const int why = errno;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    return errno_error(why, "watching for signals");
  }
  return SignalWatch(std::move(fd), before);
}

SignalWatch::~SignalWatch() {
  if (!fd_) return;
  // A signal that came meanwhile has been dealt with; unblocking must not end us by it.
  while (next()) {
  }
  ::sigprocmask(SIG_SETMASK, &before_, nullptr);
}

std::optional<SeenSignal> SignalWatch::next() {
  signalfd_siginfo info{};
  if (::read(fd_.get(), &info, sizeof(info)) != static_cast<ssize_t>(sizeof(info))) {
    return std::nullopt;
  }
  return SeenSignal{.signal = static_cast<int>(info.ssi_signo),
                    .from_terminal = info.ssi_code == SI_KERNEL};
}

}  // namespace latido::session
