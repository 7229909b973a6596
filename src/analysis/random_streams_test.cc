// Whatever a recording contains, the phases of each step add up to it and the parts of the run to its
// wall, and nothing is negative.
#include <gtest/gtest.h>

#include <array>
#include <numeric>
#include <string>

#include "analysis/random.h"
#include "analysis/run_analysis.h"
#include "analysis/test_events.h"

namespace latido::analysis {
namespace {

using model::Category;

constexpr std::array kCategories{
    Category::kZone,       Category::kDataWait,   Category::kLoaderStart, Category::kH2d,
    Category::kForward,    Category::kBackward,   Category::kCommWait,    Category::kForwardNoGrad,
    Category::kOptimizer,  Category::kScalerStep, Category::kZeroGrad,    Category::kClipGrad,
    Category::kWorkerTask, Category::kCheckpoint, Category::kBackward,    Category::kOptimizer,
};

void add_random_span(TestEvents& stream, Random& random, int depth) {
  const Category category = kCategories[random.below(kCategories.size())];
  const std::string name(model::to_text(category));
  // One in 30 has no begin, another no end: what a cut recording looks like.
  if (random.below(30) != 0) stream.begin(name, category);
  stream.pass(static_cast<std::int64_t>(random.below(1000)));
  for (std::size_t i = random.below(4); depth < 5 && i > 0; --i) {
    add_random_span(stream, random, depth + 1);
    stream.pass(static_cast<std::int64_t>(random.below(100)));
  }
  if (random.below(2) == 0) stream.arg("loader", random.below(3));
  if (random.below(2) == 0) stream.arg("optimizer", random.below(3));
  if (random.below(10) == 0) stream.arg("stop", 1);
  if (random.below(30) != 0) stream.end(name, category);
}

void expect_sums(const RankFacts& rank, std::int64_t wall_ns) {
  for (const model::Step& step : rank.steps) {
    std::int64_t sum_ns = 0;
    for (const std::int64_t phase_ns : step.phase_ns) {
      ASSERT_GE(phase_ns, model::kNotMeasured);
      if (phase_ns != model::kNotMeasured) sum_ns += phase_ns;
    }
    ASSERT_EQ(sum_ns, step.wall_ns);
    for (const std::int64_t part_ns : step.other_ns) ASSERT_GE(part_ns, 0);
  }
  for (std::size_t i = 1; i < rank.steps.size(); ++i) {
    ASSERT_GE(rank.steps[i].start_ns, rank.steps[i - 1].end_ns());
  }
  const RunParts& parts = rank.parts;
  ASSERT_EQ(parts.sum_ns(), wall_ns);
  for (const std::int64_t part_ns : {parts.startup_ns, parts.warmup_ns, parts.steps_ns,
                                     parts.evaluation_ns, parts.checkpoint_ns, parts.other_ns}) {
    ASSERT_GE(part_ns, 0);
  }
}

TEST(RandomStreams, AddUpExactly) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Random random(seed);
    TestEvents stream;
    RunAnalysis analysis;
    for (int i = 0; i < 120; ++i) {
      add_random_span(stream, random, 0);
      if (seed % 5 == 0 && random.below(10) == 0) stream.api_step();
      stream.pass(static_cast<std::int64_t>(random.below(500)));
      if (random.below(10) == 0) {
        analysis.add_events(stream.tables(), stream.events());
        stream.clear_events();
        model::Run run;
        run.start_ns = TestEvents::kStartNs;
        run.end_ns = stream.now_ns();
        const RunFacts facts = analysis.facts(run, {}, stream.tables());
        expect_sums(facts.ranks.at(0), stream.now_ns() - TestEvents::kStartNs);
        if (HasFatalFailure()) return;
      }
    }
  }
}

}  // namespace
}  // namespace latido::analysis
