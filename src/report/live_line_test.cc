#include "report/live_line.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "report/fixtures.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

// The mock-up's moment: 36:58 into the run, at step 5,120.
fixtures::Example mockup_moment() {
  fixtures::Example run = fixtures::mockup_run();
  run.facts.run.end.kind = model::EndKind::kRunning;
  run.facts.run.end_ns = run.facts.run.start_ns + 2'218'000'000'000;
  for (analysis::RankFacts& rank : run.facts.ranks) {
    rank.steps.assign(5120, {.wall_ns = 412'000'000});
    rank.step_count = 5120;
    rank.steady_end_ns = run.facts.run.end_ns;
    rank.loss = {{.step = 5119, .value = 0.913}};
  }
  return run;
}

std::string render(const fixtures::Example& run, const LiveLineOptions& options) {
  return render_live_line(run.facts, run.diagnosis, options);
}

TEST(LiveLine, IsThatOfTheMockup) {
  const fixtures::Example run = mockup_moment();
  EXPECT_EQ(render(run, {.columns = 120, .expected_steps = 8500}),
            " step 5,120/8,500 · 621 smp/s · loss 0.913 · wait 57 fwd 12 bwd 20 comm 3 % · "
            "INPUT-BOUND · 36:58, 23:13 left");
}

TEST(LiveLine, LeavesOutWhatMattersLeast) {
  const fixtures::Example run = mockup_moment();
  EXPECT_EQ(render(run, {.columns = 40}), " step 5,120 · INPUT-BOUND · 36:58");
  for (std::size_t columns = 1; columns < 160; ++columns) {
    EXPECT_LE(cell_width(render(run, {.columns = columns})), columns);
  }
}

TEST(LiveLine, SaysHowManyStepsAreNeededForAVerdict) {
  const std::string line = render(fixtures::warming_up_run(), {.columns = 120});
  EXPECT_NE(line.find("12 of 20 steps needed for a first verdict"), std::string::npos) << line;
}

TEST(LiveLine, WorksWithoutSteps) {
  const fixtures::Example run = fixtures::no_steps_run();
  const std::string line = render(run, {.columns = 100});
  EXPECT_TRUE(line.starts_with(" no training step yet")) << line;
  EXPECT_NE(line.find("ONE-CORE-BOUND"), std::string::npos) << line;
  EXPECT_FALSE(render_live_line({}, {}, {}).empty());
}

TEST(LiveLine, ForetellsFromTheRecentSteps) {
  fixtures::Example run = mockup_moment();
  for (analysis::RankFacts& rank : run.facts.ranks) {
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
      rank.steps[i] = {.wall_ns = i < 4608 ? 900'000'000 : 100'000'000};
    }
  }
  const std::string line = render(run, {.columns = 160, .expected_steps = 5720});
  EXPECT_NE(line.find("36:58, 1:00 left"), std::string::npos) << line;
}

TEST(LiveLine, ForetellsFromTheFewSteadyStepsThereAre) {
  fixtures::Example run = mockup_moment();
  for (analysis::RankFacts& rank : run.facts.ranks) {
    rank.steps.assign(40, {.wall_ns = 900'000'000, .flags = model::StepFlags::kWarmup});
    rank.steps.push_back({.wall_ns = 200'000'000});
  }
  const std::string line = render(run, {.columns = 160, .expected_steps = 5720});
  EXPECT_NE(line.find("36:58, 2:00 left"), std::string::npos) << line;
}

TEST(LiveLine, SaysWhenDataStoppedComing) {
  const fixtures::Example run = mockup_moment();
  const std::string line =
      render(run, {.columns = 160, .last_data_ns = run.facts.run.end_ns - 41'000'000'000});
  EXPECT_TRUE(line.starts_with(" last data 41.0 s ago · the program may still run · step 5,120"))
      << line;
}

TEST(LiveLine, SaysWhenNoStepEndedForLong) {
  fixtures::Example run = mockup_moment();
  for (analysis::RankFacts& rank : run.facts.ranks) {
    rank.steady_end_ns -= 41'000'000'000;
    rank.steps.clear();
    rank.steps.push_back({.start_ns = rank.steady_end_ns - 1000, .wall_ns = 1000});
  }
  const std::string line = render(run, {.columns = 160});
  EXPECT_NE(line.find("last step 41.0 s ago"), std::string::npos) << line;
}

TEST(LiveLine, SaysWhatMattersMostAt80And40Columns) {
  struct Case {
    Language language;
    std::size_t columns;
    bool stale;
    std::string_view want;
  };
  const Case cases[] = {
      {Language::kEnglish, 80, false,
       " step 5,120/8,500 · 621 smp/s · loss 0.913 · INPUT-BOUND · 36:58, 23:13 left"},
      {Language::kEnglish, 80, true,
       " last data 41.0 s ago · step 5,120/8,500 · INPUT-BOUND · 36:58, 23:13 left"},
      {Language::kEnglish, 40, false, " step 5,120/8,500 · INPUT-BOUND"},
      {Language::kEnglish, 40, true, " last data 41.0 s ago · step 5,120/8,500"},
      {Language::kSpanish, 80, false,
       " paso 5.120/8.500 · LIMITADO POR LA ENTRADA · 36:58, quedan 23:13"},
      {Language::kSpanish, 80, true,
       " últimos datos hace 41,0 s · paso 5.120/8.500 · LIMITADO POR LA ENTRADA"},
      {Language::kSpanish, 40, false, " paso 5.120/8.500 · 36:58, quedan 23:13"},
      {Language::kSpanish, 40, true, " últimos datos hace 41,0 s"},
      {Language::kItalian, 80, false,
       " passo 5.120/8.500 · loss 0,913 · LIMITATO DALL'INPUT · 36:58, restano 23:13"},
      {Language::kItalian, 80, true,
       " ultimi dati 41,0 s fa · passo 5.120/8.500 · loss 0,913 · LIMITATO DALL'INPUT"},
      {Language::kItalian, 40, false, " passo 5.120/8.500 · LIMITATO DALL'INPUT"},
      {Language::kItalian, 40, true, " ultimi dati 41,0 s fa · loss 0,913"},
  };
  const fixtures::Example run = mockup_moment();
  for (const Case& c : cases) {
    SCOPED_TRACE(std::string(to_text(c.language)) + " " + std::to_string(c.columns));
    LiveLineOptions options{
        .columns = c.columns, .language = c.language, .expected_steps = std::uint64_t{8500}};
    if (c.stale) options.last_data_ns = run.facts.run.end_ns - 41'000'000'000;
    EXPECT_EQ(render(run, options), c.want);
  }
}

TEST(LiveLine, ForgetsAnExpectationThatWasPassed) {
  const std::string line = render(mockup_moment(), {.columns = 120, .expected_steps = 5000});
  EXPECT_TRUE(line.starts_with(" step 5,120 · ")) << line;
  EXPECT_EQ(line.find("left"), std::string::npos) << line;
}

TEST(LiveLine, SpeaksEveryLanguage) {
  const fixtures::Example run = mockup_moment();
  EXPECT_NE(render(run, {.columns = 160, .language = Language::kSpanish}).find("paso 5.120"),
            std::string::npos);
  EXPECT_NE(render(run, {.columns = 160, .language = Language::kItalian}).find("passo 5.120"),
            std::string::npos);
}

}  // namespace
}  // namespace latido::report
