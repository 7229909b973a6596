// SignalPolicy: what a signal to `latido run` means for the program it runs. Pure.
//
// The first Ctrl-C is the program's own: the terminal sends it to the whole foreground group. The
// second becomes SIGTERM, the third SIGKILL. A SIGINT that somebody sent to us alone, and every
// SIGTERM, SIGHUP and SIGQUIT, is passed on; so are SIGUSR1 and SIGUSR2, by which schedulers announce
// the end of a job's time.
#pragma once

#include <csignal>
#include <cstdint>

namespace latido::session {

struct SignalAction {
  int send = 0;                 // signal for the program; 0: none
  bool start_deadline = false;  // the report must stand soon: somebody is about to kill us
};

class SignalPolicy {
 public:
  // `from_terminal`: the kernel raised it for the foreground group, so that the program has it too.
  SignalAction on_signal(int signal, bool from_terminal) noexcept {
    if (signal == SIGPIPE || signal == SIGXFSZ) return {};  // about our own writes
    if (signal != SIGINT) {
      return {.send = from_terminal ? 0 : signal, .start_deadline = signal == SIGTERM};
    }
    ++interrupts_;
    if (interrupts_ == 1) return {.send = from_terminal ? 0 : SIGINT};
    return {.send = interrupts_ == 2 ? SIGTERM : SIGKILL};
  }

 private:
  int interrupts_ = 0;
};

}  // namespace latido::session
