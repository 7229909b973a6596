#include "agent/stack_sampler.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <string>
#include <thread>

#include "stacks/testing/python_program.h"

namespace latido::agent {
namespace {

using stacks::testing::PythonProgram;

constexpr const char* kSpinning = R"py(import sys
def hot():
    while True: pass
print("ready", flush=True)
hot()
)py";

// Waits until the sampler has seen enough, for at most as long as a slow machine may take.
bool eventually(const StackSampler& sampler, std::uint64_t samples) {
  for (int i = 0; i < 2'000; ++i) {
    if (sampler.tree().counts.samples >= samples) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  return false;
}

std::int64_t busy_in(const model::CallTree& tree, const std::string& function) {
  std::int64_t busy_ns = 0;
  for (const model::CallTime& time : tree.times) {
    if (tree.frames[tree.nodes[time.node].frame].function == function) busy_ns += time.busy_ns;
  }
  return busy_ns;
}

TEST(StackSampler, FindsWhereAPythonProgramSpendsItsTime) {
  const auto pythons = stacks::testing::pythons();
  if (pythons.empty()) GTEST_SKIP() << "no CPython 3.8 to 3.13 on this machine";
  PythonProgram program(pythons.back(), kSpinning);
  program.wait_until_ready();
  StackSampler sampler(1'000, 0);
  sampler.watch({{program.pid(), model::ProcessId{3}}});
  ASSERT_TRUE(eventually(sampler, 50));
  const model::CallTree tree = sampler.tree();
  std::int64_t all_ns = 0;
  for (const model::CallTime& time : tree.times) {
    EXPECT_EQ(time.process, model::ProcessId{3});
    EXPECT_TRUE(time.main_thread);
    all_ns += time.busy_ns + time.idle_ns;
  }
  EXPECT_GT(busy_in(tree, "hot"), all_ns / 2);
  EXPECT_TRUE(sampler.refusals().empty());
}

TEST(StackSampler, AProgramThatIsNoPythonIsLeftAlone) {
  StackSampler sampler(1'000, 0);
  for (int i = 0; i < 20; ++i) {
    sampler.watch({{::getpid(), model::ProcessId{0}}});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  EXPECT_TRUE(sampler.tree().empty());
  EXPECT_TRUE(sampler.refusals().empty());
}

TEST(StackSampler, GoesOnWithoutAProcessThatEnded) {
  const auto pythons = stacks::testing::pythons();
  if (pythons.size() < 2) GTEST_SKIP() << "fewer than two of CPython 3.8 to 3.13 on this machine";
  PythonProgram stays(pythons.back(), kSpinning);
  stays.wait_until_ready();
  StackSampler sampler(1'000, 0);
  {
    PythonProgram goes(pythons.front(), kSpinning);
    goes.wait_until_ready();
    sampler.watch({{goes.pid(), model::ProcessId{0}}, {stays.pid(), model::ProcessId{1}}});
    ASSERT_TRUE(eventually(sampler, 20));
  }
  const std::uint64_t before = sampler.tree().counts.samples;
  EXPECT_TRUE(eventually(sampler, before + 20));
  const auto changes = sampler.take_changes();
  EXPECT_TRUE(std::ranges::any_of(changes.part.times, [](const model::CallTime& time) {
    return time.process == model::ProcessId{1};
  }));
}

}  // namespace
}  // namespace latido::agent
