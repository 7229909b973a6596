#include "session/signal_policy.h"

#include <gtest/gtest.h>

namespace latido::session {
namespace {

TEST(SignalPolicy, EscalatesCtrlC) {
  SignalPolicy policy;
  EXPECT_EQ(policy.on_signal(SIGINT, true).send, 0);
  EXPECT_EQ(policy.on_signal(SIGINT, true).send, SIGTERM);
  EXPECT_EQ(policy.on_signal(SIGINT, true).send, SIGKILL);
}

TEST(SignalPolicy, PassesOnAnInterruptThatTheProgramDidNotGet) {
  SignalPolicy policy;
  EXPECT_EQ(policy.on_signal(SIGINT, false).send, SIGINT);
  EXPECT_EQ(policy.on_signal(SIGINT, false).send, SIGTERM);
}

TEST(SignalPolicy, ForwardsSigtermAndStartsTheDeadline) {
  SignalPolicy policy;
  const SignalAction action = policy.on_signal(SIGTERM, false);
  EXPECT_EQ(action.send, SIGTERM);
  EXPECT_TRUE(action.start_deadline);
}

TEST(SignalPolicy, PassesOnWhatASchedulerAnnouncesTheEndOfTheTimeWith) {
  SignalPolicy policy;
  for (const int signal : {SIGUSR1, SIGUSR2}) {
    const SignalAction action = policy.on_signal(signal, false);
    EXPECT_EQ(action.send, signal);
    EXPECT_FALSE(action.start_deadline);
  }
}

TEST(SignalPolicy, LeavesATerminalsQuitAndHangupToTheProgram) {
  SignalPolicy policy;
  EXPECT_EQ(policy.on_signal(SIGQUIT, true).send, 0);
  EXPECT_EQ(policy.on_signal(SIGHUP, false).send, SIGHUP);
  EXPECT_FALSE(policy.on_signal(SIGHUP, false).start_deadline);
}

}  // namespace
}  // namespace latido::session
