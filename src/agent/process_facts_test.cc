#include "agent/process_facts.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.h"

namespace latido::agent {
namespace {

TEST(RankFromEnvironment, TakesTheFirstLauncherThatGaveOne) {
  EXPECT_EQ(rank_from_environment({"A=1", "RANK=3", "SLURM_PROCID=7"}), 3);
  EXPECT_EQ(rank_from_environment({"SLURM_PROCID=7"}), 7);
  EXPECT_EQ(rank_from_environment({"JOB_COMPLETION_INDEX=2"}), 2);
  EXPECT_EQ(rank_from_environment({"RANK=", "RANK_TABLE=1", "MYRANK=2"}), std::nullopt);
  EXPECT_EQ(rank_from_environment({"RANK=-1"}), std::nullopt);
}

TEST(ReadProcessFacts, KnowsThisProcess) {
  const ProcessFacts facts = read_process_facts(::getpid());
  EXPECT_EQ(facts.parent_pid, ::getppid());
  EXPECT_NE(facts.command.find("agent_test"), std::string::npos) << facts.command;
  EXPECT_LE(facts.start_ns, monotonic_now_ns() + 10'000'000);
  EXPECT_GT(facts.start_ticks, 0U);
  EXPECT_EQ(read_process_facts(::getpid()).start_ticks, facts.start_ticks);
}

TEST(ReadProcessFacts, IsEmptyForAProcessThatIsGone) {
  const ProcessFacts facts = read_process_facts(0x3FFFFFFF);
  EXPECT_EQ(facts.command, "");
  EXPECT_EQ(facts.parent_pid, 0);
}

}  // namespace
}  // namespace latido::agent
