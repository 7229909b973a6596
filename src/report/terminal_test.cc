#include "report/terminal.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "report/fixtures.h"
#include "report/golden.h"
#include "report/text_layout.h"

namespace latido::report {
namespace {

struct NamedExample {
  std::string name;
  fixtures::Example run;
};

std::vector<NamedExample> all_examples() {
  return {{"mockup", fixtures::mockup_run()},     {"healthy", fixtures::healthy_run()},
          {"no_steps", fixtures::no_steps_run()}, {"died", fixtures::died_run()},
          {"killed", fixtures::killed_run()},     {"warming_up", fixtures::warming_up_run()},
          {"marked", fixtures::marked_run()},     {"hostile", fixtures::hostile_run()}};
}

std::string render(const fixtures::Example& run, const TerminalOptions& options = {}) {
  return render_terminal(run.facts, run.diagnosis, options);
}

TEST(TerminalReport, MatchesItsGoldenTextInEveryLanguage) {
  for (const NamedExample& example : all_examples()) {
    if (example.name == "hostile") continue;
    for (const Language language : kLanguages) {
      const std::string file = example.name + "." + std::string(to_text(language)) + ".txt";
      EXPECT_EQ(golden::difference(file, render(example.run, {.language = language})), "");
    }
  }
}

TEST(TerminalReport, ExpandedMatchesItsGoldenText) {
  EXPECT_EQ(golden::difference("mockup_expanded.en.txt",
                               render(fixtures::mockup_run(), {.expanded = true})),
            "");
}

TEST(TerminalReport, IsNeverWiderThanTheTerminal) {
  for (const NamedExample& example : all_examples()) {
    for (const Language language : kLanguages) {
      for (std::size_t columns = 40; columns <= 200; columns += columns < 90 ? 3 : 22) {
        const std::string text = render(
            example.run, {.columns = columns, .language = language, .expanded = columns % 2 == 0});
        std::istringstream lines(text);
        for (std::string line; std::getline(lines, line);) {
          ASSERT_LE(cell_width(line), columns) << example.name << ": " << line;
        }
      }
    }
  }
}

TEST(TerminalReport, SaysTheSameWithoutColour) {
  for (const NamedExample& example : all_examples()) {
    const std::string plain = render(example.run);
    std::string coloured = render(example.run, {.colour = true});
    EXPECT_NE(coloured.find("\x1b["), std::string::npos) << example.name;
    std::string stripped;
    for (std::size_t i = 0; i < coloured.size(); ++i) {
      if (coloured[i] == '\x1b')
        i = coloured.find('m', i);
      else
        stripped += coloured[i];
    }
    const auto without_spaces_at_ends = [](const std::string& text) {
      std::string out;
      std::istringstream lines(text);
      for (std::string line; std::getline(lines, line);) {
        out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
      }
      return out;
    };
    EXPECT_EQ(without_spaces_at_ends(stripped), plain) << example.name;
  }
}

TEST(TerminalReport, LetsNoEscapeSequenceThrough) {
  const std::string text = render(fixtures::hostile_run());
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_EQ(text.find("\u202E"), std::string::npos);
}

TEST(TerminalReport, EndsWithTrustUnlessItIsDamaged) {
  const std::string good = render(fixtures::mockup_run());
  EXPECT_TRUE(good.ends_with("nothing left this machine\n")) << good;
  EXPECT_GT(good.find(" TRUST"), good.find(" RATES"));
  const std::string damaged = render(fixtures::killed_run());
  EXPECT_LT(damaged.find(" TRUST"), damaged.find(" WHERE A STEP GOES")) << damaged;
  EXPECT_NE(damaged.find("1,204 dropped"), std::string::npos);
}

TEST(TerminalReport, FirstLineSaysHowTheProgramEnded) {
  const std::string died = render(fixtures::died_run());
  const std::string first = died.substr(0, died.find("\n\n"));
  for (const std::string_view part : {"FAILED, exit 1", "ValueError: target 1000 is out of bounds",
                                      "train.py:61", "backward", "rank 2"}) {
    EXPECT_NE(first.find(part), std::string::npos) << part << " in\n" << first;
  }
  const std::string killed = render(fixtures::killed_run());
  const std::string how = killed.substr(0, killed.find("\n\n"));
  for (const std::string_view part : {"KILLED by SIGKILL", "attention", "forward", "train.py:40"}) {
    EXPECT_NE(how.find(part), std::string::npos) << part << " in\n" << how;
  }
}

model::RunEnd ended(model::EndKind kind, std::int32_t code, std::int32_t signal) {
  model::RunEnd end;
  end.kind = kind;
  end.code = code;
  end.signal = signal;
  return end;
}

TEST(TerminalReport, AVerdictAboutARunThatDiedIsAboutWhatWasSeenOfIt) {
  struct Case {
    std::string_view name;
    model::RunEnd end;
    std::string_view english;
    std::string_view spanish;
    std::string_view italian;
  };
  const Case cases[] = {
      {"well", ended(model::EndKind::kExit, 0, 0), " HEALTHY. ", " SANO. ", " SANO. "},
      {"failed", ended(model::EndKind::kExit, 1, 0), " UNTIL IT FAILED: HEALTHY. ",
       " HASTA QUE FALLÓ: SANO. ", " FINO ALL'ERRORE: SANO. "},
      {"killed", ended(model::EndKind::kSignal, 0, 9), " UNTIL IT WAS KILLED: HEALTHY. ",
       " HASTA QUE FUE INTERRUMPIDO: SANO. ", " FINO ALL'INTERRUZIONE: SANO. "},
      {"no end", ended(model::EndKind::kRunning, 0, 0), " SO FAR: HEALTHY. ",
       " HASTA AHORA: SANO. ", " FINORA: SANO. "},
  };
  fixtures::Example run = fixtures::healthy_run();
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    run.facts.run.end = c.end;
    const auto in = [&](Language language) {
      return "\n" + render_terminal(run.facts, run.diagnosis, {.language = language});
    };
    EXPECT_NE(in(Language::kEnglish).find("\n" + std::string(c.english)), std::string::npos);
    EXPECT_NE(in(Language::kSpanish).find("\n" + std::string(c.spanish)), std::string::npos);
    EXPECT_NE(in(Language::kItalian).find("\n" + std::string(c.italian)), std::string::npos);
  }
  run.diagnosis.verdict = "cannot-tell";
  run.facts.run.end = ended(model::EndKind::kSignal, 0, 15);
  EXPECT_NE(render(run).find(" CANNOT TELL: IT WAS KILLED TOO EARLY. "), std::string::npos);
  // Uneven steps are enough steps.
  run.diagnosis.headline = {.id = "verdict.uneven", .params = {}};
  run.diagnosis.headline.params.set("p50_ns", std::int64_t{1}).set("p95_ns", std::int64_t{9});
  EXPECT_NE(render(run).find(" UNTIL IT WAS KILLED: CANNOT TELL. "), std::string::npos);
  run.facts.run.end = ended(model::EndKind::kExit, 1, 0);
  EXPECT_NE(render(run).find(" UNTIL IT FAILED: CANNOT TELL. "), std::string::npos);
  run.facts.run.end = ended(model::EndKind::kExit, 0, 0);
  EXPECT_NE(render(run).find(" CANNOT TELL. "), std::string::npos);
}

TEST(TerminalReport, ShowsTheIntervalOfTheOverheadWhereThereIsOne) {
  fixtures::Example run = fixtures::healthy_run();
  EXPECT_NE(render(run).find("overhead 0.4 % estimated (budget 1 %)"), std::string::npos);
  run.facts.quality.overhead_low_ratio = 0.0012;
  run.facts.quality.overhead_high_ratio = 0.009;
  EXPECT_NE(render(run).find("overhead 0.4 % estimated, between 0.1 % and 0.9 % (budget 1 %)"),
            std::string::npos)
      << render(run);
}

TEST(TerminalReport, ShowsWhatWasNotMeasuredWithItsReasonAndNeverAsZero) {
  const std::string text = render(fixtures::healthy_run());
  EXPECT_NE(text.find("n/a  (no accelerator"), std::string::npos) << text;
  EXPECT_EQ(text.find("to device      0"), std::string::npos) << text;
}

TEST(TerminalReport, LeavesOutWhatDoesNotApply) {
  const std::string text = render(fixtures::no_steps_run());
  for (const std::string_view absent :
       {"WHERE A STEP GOES", "EXPECT", "RANKS", "samples/s", "latido diff"}) {
    EXPECT_EQ(text.find(absent), std::string::npos) << absent << " in\n" << text;
  }
  EXPECT_NE(text.find("groupby"), std::string::npos);
}

TEST(TerminalReport, CallsTimeWithoutANameWhatItIsOnlyWhereNoZoneNamesIt) {
  fixtures::Example run = fixtures::mockup_run();
  run.diagnosis.verdict = "other-heavy";
  run.diagnosis.headline.id = "other_heavy.headline";
  EXPECT_NE(render(run).find("UNNAMED TIME"), std::string::npos);
  run.diagnosis.headline.id = "other_heavy.headline_zone";
  EXPECT_EQ(render(run).find("UNNAMED TIME"), std::string::npos);
  EXPECT_NE(render(run).find("OTHER CODE"), std::string::npos);
}

TEST(TerminalReport, SurvivesEmptyFacts) {
  const std::string text = render_terminal({}, {}, {});
  EXPECT_NE(text.find("TRUST"), std::string::npos);
}

TEST(RenderTerminal, SaysInEveryLanguageWhatWasNotSeen) {
  fixtures::Example run = fixtures::healthy_run();
  run.facts.quality.notes = {"zones_under_one_name: 12", "ends_without_begin: 3"};
  run.facts.quality.absent_series = {"host.psi.cpu: why", "host.disk.busy_ns: why",
                                     "cgroup.memory.limit_bytes: no limit"};
  const auto trust = [&](Language language) {
    return render_terminal(run.facts, run.diagnosis, {.columns = 1000, .language = language});
  };
  const std::string english = trust(Language::kEnglish);
  EXPECT_NE(english.find("zones of more names than are told apart: 12"), std::string::npos);
  EXPECT_NE(english.find("ends of zones whose begin is missing: 3"), std::string::npos);
  EXPECT_NE(english.find("2 telemetry series not offered by this machine"), std::string::npos);
  EXPECT_NE(trust(Language::kSpanish).find("2 series de telemetría que esta"), std::string::npos);
  EXPECT_NE(trust(Language::kItalian).find("2 serie di telemetria che questa"), std::string::npos);
}

TEST(RenderTerminal, SaysWhatTheLossIsUnderGradientAccumulation) {
  fixtures::Example run = fixtures::healthy_run();
  constexpr std::string_view kNote = "mean of 4 backward calls a step, as each was given";
  ASSERT_NE(render(run).find("loss "), std::string::npos);
  EXPECT_EQ(render(run).find("backward calls a step"), std::string::npos);
  for (model::Step& step : run.facts.ranks[0].steps) step.backwards = 4;
  EXPECT_NE(render_terminal(run.facts, run.diagnosis, {.columns = 1000}).find(kNote),
            std::string::npos);
}

TEST(TerminalReport, SaysOfAShortRunThatItsCostCannotBeTold) {
  fixtures::Example run = fixtures::no_steps_run();
  run.facts.run.end_ns = run.facts.run.start_ns + 800'000'000;
  run.facts.quality.overhead_ratio = 0.034;
  const std::string text = render(run);
  EXPECT_EQ(text.find("OVER the budget"), std::string::npos) << text;
  EXPECT_NE(text.find("overhead: too short a run to say"), std::string::npos) << text;
}

TEST(TerminalReport, ShowsNoMoreThanAWholeCore) {
  fixtures::Example run = fixtures::no_steps_run();
  run.facts.resources.top_core_busy_ratio = 1.1;
  run.facts.resources.cpu_busy_cores = 8.3;
  const std::string text = render(run, {.columns = 160});
  EXPECT_NE(text.find("busiest core 100 %"), std::string::npos) << text;
  EXPECT_NE(text.find("8 of 8 cores busy"), std::string::npos) << text;
}

}  // namespace
}  // namespace latido::report
