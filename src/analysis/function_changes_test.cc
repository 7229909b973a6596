#include "analysis/function_changes.h"

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

namespace latido::analysis {
namespace {

constexpr std::int64_t kMs = 1'000'000;

// A run sampled every 10 ms; each function is called by itself.
RunFacts run_of(const std::string& folder, std::uint64_t steps,
                const std::vector<std::pair<std::string, std::int64_t>>& own_ms) {
  RunFacts facts;
  facts.run.folder = folder;
  facts.ranks.emplace_back().step_count = steps;
  for (const auto& [name, ms] : own_ms) {
    const auto index = static_cast<std::uint32_t>(facts.calls.frames.size());
    facts.calls.frames.push_back({name, folder + "/train.py", 7 + index});
    facts.calls.nodes.push_back({.frame = index, .line = 8});
    facts.calls.times.push_back({.node = index + 1, .main_thread = true, .busy_ns = ms * kMs});
    facts.calls.counts.stacks += static_cast<std::uint64_t>(ms / 10);
  }
  return facts;
}

TEST(FunctionChanges, AreThoseBeyondChanceLargestFirst) {
  const RunFacts before = run_of("/a", 100, {{"load", 20'000}, {"fit", 10'000}, {"log", 100}});
  const RunFacts after =
      run_of("/b", 200, {{"load", 8'000}, {"fit", 20'300}, {"log", 300}, {"check", 6'000}});
  const FunctionChanges got = compare_functions(before, after);
  EXPECT_TRUE(got.per_step);
  EXPECT_NEAR(got.before_interval_ns, 10 * kMs, kMs);
  EXPECT_EQ(got.compared, 4U);
  ASSERT_EQ(got.changed.size(), 2U) << "fit and log are within noise";
  EXPECT_EQ(got.changed[0].name, "load");
  EXPECT_EQ(got.changed[0].file, "train.py") << "the same file in another checkout";
  EXPECT_LT(got.changed[0].z, -10);
  EXPECT_DOUBLE_EQ(got.before_amount(got.changed[0].before_ns), 200.0 * kMs);
  EXPECT_DOUBLE_EQ(got.after_amount(got.changed[0].after_ns), 40.0 * kMs);
  EXPECT_EQ(got.changed[1].name, "check");
  EXPECT_EQ(got.changed[1].before_ns, 0);
}

TEST(FunctionChanges, AreSharesWhereARunHasNoSteps) {
  const RunFacts before = run_of("/a", 0, {{"load", 5'000}, {"fit", 5'000}});
  const RunFacts slower = run_of("/a", 30, {{"load", 10'000}, {"fit", 10'000}});
  FunctionChanges got = compare_functions(before, slower);
  EXPECT_FALSE(got.per_step);
  EXPECT_TRUE(got.changed.empty()) << "all took twice as long";
  got = compare_functions(before, run_of("/a", 0, {{"load", 15'000}, {"fit", 5'000}}));
  ASSERT_EQ(got.changed.size(), 2U);
  EXPECT_EQ(got.changed[0].name, "fit") << "of equal changes the first name";
  EXPECT_DOUBLE_EQ(got.after_amount(got.changed[0].after_ns), 0.25);
}

TEST(ComparableCalls, HaveFilesThatDoNotTellWhereTheyLie) {
  struct Case {
    const char* name;
    std::vector<std::string> command;
    const char* file;
    const char* want;
  };
  const std::vector<Case> cases{
      {"in the folder of the start", {"python", "train.py"}, "/home/me/lib/a.py", "lib/a.py"},
      {"beside the script", {"python", "/opt/x/train.py"}, "/opt/x/lib/a.py", "lib/a.py"},
      {"beside a script below", {"python", "src/train.py"}, "/home/me/src/a.py", "a.py"},
      {"of a package", {}, "/venv/lib/python3.12/site-packages/torch/nn.py", "torch/nn.py"},
      {"elsewhere",
       {"python", "-m", "train"},
       "/usr/lib/python3.12/json.py",
       "/usr/lib/python3.12/json.py"},
      {"nowhere", {}, "<string>", "<string>"},
  };
  for (const Case& c : cases) {
    RunFacts facts;
    facts.run.folder = "/home/me";
    facts.run.command = c.command;
    facts.calls.frames = {{"f", c.file, 9}};
    EXPECT_EQ(comparable_calls(facts, false).frames[0], (model::CallFrame{"f", c.want, 0}))
        << c.name;
  }
}

TEST(FunctionChanges, SayWhichRunWasNotSampled) {
  const RunFacts sampled = run_of("/a", 10, {{"load", 5'000}});
  const RunFacts not_sampled = run_of("/a", 10, {});
  const FunctionChanges got = compare_functions(not_sampled, sampled);
  EXPECT_FALSE(got.before_sampled);
  EXPECT_TRUE(got.after_sampled);
  EXPECT_FALSE(got.comparable());
  EXPECT_TRUE(got.changed.empty());
}

TEST(FunctionChanges, LeaveOutWhatWorkersWaited) {
  RunFacts before = run_of("/a", 10, {{"load", 1'000}});
  before.processes.resize(2);
  before.processes[1].role = model::ProcessRole::kWorker;
  before.calls.times.push_back({.process = model::ProcessId{1},
                                .node = 1,
                                .main_thread = true,
                                .busy_ns = 0,
                                .idle_ns = 9'000 * kMs});
  EXPECT_EQ(compare_functions(before, before).before_total_ns, 1'000 * kMs);
}

}  // namespace
}  // namespace latido::analysis
