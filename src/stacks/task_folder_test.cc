#include "stacks/task_folder.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "stacks/function_table.h"

namespace latido::stacks {
namespace {

TEST(TaskFolder, ReadsTheStateBehindAnyName) {
  EXPECT_EQ(parse_task_state("12 (python) R 1 2"), Activity::kBusy);
  EXPECT_EQ(parse_task_state("12 (a) R (b) S 1 2"), Activity::kIdle);
  EXPECT_EQ(parse_task_state("12 (x) D 1"), Activity::kIdle);
  for (const char* bad : {"", "12", ")", ") ", "12 (x) ?", "12 (x)"}) {
    EXPECT_EQ(parse_task_state(bad), Activity::kUnknown) << bad;
  }
}

TEST(TaskFolder, ReadsTheInnermostNumber) {
  EXPECT_EQ(parse_inner_tid("Name:\tx\nNSpid:\t4711\t17\nNSpgid:\t1\n"), 17);
  EXPECT_EQ(parse_inner_tid("Name:\tx\nNSpid:\t4711\n"), 4711);
  EXPECT_EQ(parse_inner_tid("Name:\tx\n"), 0);
}

TEST(TaskFolder, KnowsThisProcess) {
  const auto folder = TaskFolder::open(::getpid());
  ASSERT_TRUE(folder.has_value());
  const auto threads = folder.value().threads();
  ASSERT_TRUE(threads.contains(::getpid()));
  TaskProbe probe(::getpid());
  EXPECT_EQ(probe.check(folder.value(), true), Activity::kBusy);
  EXPECT_TRUE(probe.holds_files());
  EXPECT_EQ(probe.check(folder.value(), false), Activity::kBusy);
  EXPECT_FALSE(probe.holds_files());
  EXPECT_EQ(TaskProbe(0x3FFF'FFFF).check(folder.value(), true), Activity::kUnknown);
  EXPECT_EQ(TaskFolder::open(0x3FFF'FFFF).error().code, ErrorCode::kNotFound);
}

TEST(FunctionTable, EqualFunctionsShareAnId) {
  FunctionTable table;
  const FunctionId a = table.intern({"f", "a.py", 1});
  EXPECT_EQ(table.intern({"f", "a.py", 1}), a);
  EXPECT_NE(table.intern({"f", "a.py", 2}), a);
  EXPECT_NE(table.intern({"f", "b.py", 1}), a);
  EXPECT_EQ(table[a], (Function{"f", "a.py", 1}));
  EXPECT_EQ(table.size(), 4U);  // with kOther
}

}  // namespace
}  // namespace latido::stacks
