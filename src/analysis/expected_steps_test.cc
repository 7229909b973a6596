#include "analysis/expected_steps.h"

#include <gtest/gtest.h>

#include <string_view>

#include "analysis/run_analysis.h"
#include "analysis/test_events.h"

namespace latido::analysis {
namespace {

// 40 steps done of passes of 25 batches.
RunFacts run_of(std::vector<std::string> command) {
  RunFacts facts;
  facts.run.command = std::move(command);
  RankFacts rank;
  rank.step_count = 40;
  rank.stats.count = 30;
  rank.loader = LoaderFacts{};
  rank.loader->dataset_length = 1'590;
  rank.loader->batch_size = 64;
  rank.loader->batches = 30;
  facts.ranks.push_back(std::move(rank));
  return facts;
}

TEST(PlannedLength, IsReadFromTheCommandLine) {
  struct Case {
    std::string_view name;
    std::vector<std::string> words;
    double epochs;  // 0: not said
    double steps;
  };
  const Case cases[] = {
      {"two words", {"python", "train.py", "--epochs", "10"}, 10, 0},
      {"one word", {"python", "train.py", "--num-epochs=3"}, 3, 0},
      {"underscores", {"train.py", "--max_steps", "500"}, 0, 500},
      {"fraction of an epoch", {"train.py", "--num_train_epochs", "0.5"}, 0.5, 0},
      {"configuration path", {"train.py", "trainer.max_epochs=7"}, 7, 0},
      {"both", {"train.py", "--epochs", "2", "--steps", "100"}, 2, 100},
      {"no limit", {"train.py", "--max_steps", "-1"}, 0, 0},
      {"no number", {"train.py", "--epochs", "many"}, 0, 0},
      {"number with a tail", {"train.py", "--epochs", "10x"}, 0, 0},
      {"another option", {"train.py", "--warmup-epochs", "5", "--lr", "0.1"}, 0, 0},
      {"cut off", {"train.py", "--epochs"}, 0, 0},
      {"nothing", {}, 0, 0},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    const PlannedLength got = planned_length(c.words);
    EXPECT_DOUBLE_EQ(got.epochs.value_or(0), c.epochs);
    EXPECT_DOUBLE_EQ(got.steps.value_or(0), c.steps);
  }
}

TEST(ExpectedSteps, NeedsALengthAndAPlan) {
  struct Case {
    std::string_view name;
    std::vector<std::string> command;
    void (*change)(RunFacts&);
    std::uint64_t want;  // 0: cannot be known
  };
  const auto nothing = [](RunFacts&) {};
  const std::vector<std::string> ten{"python", "train.py", "--epochs", "10"};
  const Case cases[] = {
      {"from the data set", ten, nothing, 250},
      {"from a pass that was complete", ten,
       [](RunFacts& f) { f.ranks[0].loader->pass_batches = 24; }, 240},
      {"accumulation of four", ten,
       [](RunFacts& f) {
         f.ranks[0].loader->pass_batches = 24;
         f.ranks[0].loader->batches = 120;
       },
       60},
      {"steps", {"train.py", "--max-steps", "500"}, nothing, 500},
      {"steps overrule epochs", {"train.py", "--max-steps", "500", "--epochs", "3"}, nothing, 500},
      {"steps, perhaps of an epoch", {"train.py", "--steps", "500", "--epochs", "3"}, nothing, 0},
      {"steps without a loader",
       {"train.py", "--steps", "500"},
       [](RunFacts& f) { f.ranks[0].loader.reset(); },
       500},
      {"no plan", {"python", "train.py"}, nothing, 0},
      {"unknown length", ten, [](RunFacts& f) { f.ranks[0].loader->dataset_length = -1; }, 0},
      {"shared by ranks", ten, [](RunFacts& f) { f.ranks.push_back(f.ranks[0]); }, 0},
      {"shared by ranks, a pass was seen", ten,
       [](RunFacts& f) {
         f.ranks[0].loader->pass_batches = 13;
         f.ranks.push_back(f.ranks[0]);
       },
       130},
      {"more was done", {"train.py", "--max-steps", "39"}, nothing, 0},
      {"just done", {"train.py", "--max-steps", "40"}, nothing, 40},
      {"no steps yet", ten, [](RunFacts& f) { f.ranks[0].step_count = 0; }, 0},
      {"the process knows better than the launcher",
       {"sh", "train.sh", "--epochs", "1"},
       [](RunFacts& f) {
         f.processes.emplace_back();
         f.processes[0].command = "python train.py  --epochs 4";
       },
       100},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    RunFacts facts = run_of(c.command);
    c.change(facts);
    EXPECT_EQ(expected_steps(facts).value_or(0), c.want);
  }
  EXPECT_FALSE(expected_steps({}).has_value());
}

TEST(ExpectedSteps, PassesAreCountedFromTheEvents) {
  TestEvents loop;
  loop.epochs(3, 12, [&loop] { loop.evaluate(4); });
  loop.start_loader(1);
  for (int i = 0; i < 5; ++i) loop.train_on(1);
  RunAnalysis analysis;
  analysis.add_events(loop.tables(), loop.events());
  const RunFacts facts = analysis.facts({}, {}, loop.tables());
  ASSERT_TRUE(facts.ranks[0].loader.has_value());
  EXPECT_EQ(facts.ranks[0].loader->passes, 4U);
  EXPECT_EQ(facts.ranks[0].loader->pass_batches, 12U);
  EXPECT_NEAR(steps_per_pass(facts).value_or(0), 12, 1e-9);
}

}  // namespace
}  // namespace latido::analysis
