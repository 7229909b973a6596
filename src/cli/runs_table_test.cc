#include "cli/runs_table.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>
#include <vector>

#include "report/text_layout.h"

namespace latido::cli {
namespace {

RunLine make_run(const std::string& name) {
  RunLine line;
  line.entry.run.name = name;
  line.entry.run.command = {"python", "train.py"};
  line.entry.run.started_wall_ns = 1'700'000'000'000'000'000;
  line.entry.run.end_ns = 3'725'000'000'000;
  line.entry.run.end.kind = model::EndKind::kExit;
  line.verdict = "input-bound";
  line.mean_step_ns = 412'000'000;
  return line;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> words_of(const std::string& line) {
  std::vector<std::string> words;
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  return words;
}

TEST(RunsTable, NamesItsColumns) {
  const auto lines = lines_of(runs_table({make_run("train-0001")}, 200));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_EQ(words_of(lines[0]), (std::vector<std::string>{"name", "started", "wall", "end",
                                                          "verdict", "step", "command"}));
  EXPECT_NE(lines[1].find(" train-0001  2023-11-1"), std::string::npos) << lines[1];
  EXPECT_TRUE(lines[1].ends_with("1:02:05  exit 0  input-bound  412 ms  python train.py"))
      << lines[1];
}

TEST(RunsTable, LeavesOutYearAndCommandWhereThereIsNoRoom) {
  RunLine long_one = make_run("a_longer_script-0002");
  long_one.verdict = "cpu-compute-bound";
  const auto lines = lines_of(runs_table({make_run("train-0001"), long_one}, 80));
  ASSERT_EQ(lines.size(), 3U);
  for (const std::string& line : lines) EXPECT_LE(report::cell_width(line), 80U) << line;
  EXPECT_EQ(lines[2].find("2023"), std::string::npos) << lines[2];
  EXPECT_EQ(lines[2].find("python"), std::string::npos) << lines[2];
  EXPECT_NE(lines[2].find("a_longer_script-0002"), std::string::npos) << lines[2];
  EXPECT_NE(lines[2].find("cpu-compute-bound  412 ms"), std::string::npos) << lines[2];
}

TEST(RunsTable, LeavesOutAWholeColumnRatherThanCutOne) {
  RunLine long_one = make_run("a_script_with_a_long_name-0002");
  long_one.verdict = "cpu-compute-bound";
  const auto lines = lines_of(runs_table({long_one}, 80));
  ASSERT_EQ(lines.size(), 2U);
  EXPECT_TRUE(lines[0].find("step") == std::string::npos) << lines[0];
  EXPECT_TRUE(lines[1].ends_with("exit 0  cpu-compute-bound")) << lines[1];
}

TEST(RunsTable, SaysWhatIsNotKnown) {
  RunLine killed = make_run("train-0001");
  killed.entry.state = store::RunState::kInterrupted;
  killed.entry.run.end_ns = -1;
  killed.verdict.clear();
  killed.mean_step_ns = 0;
  RunLine broken;
  broken.entry.state = store::RunState::kBroken;
  broken.entry.id = "01ARYZ6S410000000000000000";
  broken.entry.problem = "no meta.json";
  const auto lines = lines_of(runs_table({broken, killed}, 120));
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_TRUE(lines[1].starts_with(" 01ARYZ6S410000000000000000  broken: no meta.json"));
  EXPECT_NE(lines[2].find("-:--:--  recorder was killed  –"), std::string::npos) << lines[2];
}

TEST(RunsTable, IsNeverWiderThanTheTerminal) {
  RunLine hostile = make_run("x\nname\x1b[31m" + std::string(300, 'y'));
  for (std::size_t columns = 1; columns < 120; columns += 7) {
    for (const std::string& line : lines_of(runs_table({hostile}, columns))) {
      EXPECT_LE(report::cell_width(line), columns);
      EXPECT_EQ(line.find('\x1b'), std::string::npos);
    }
  }
}

TEST(RunsTable, SaysWhichRunsLieElsewhere) {
  RunLine here = make_run("train-0001");
  here.entry.folder = "/home/ana/.latido/runs/01";
  RunLine there = make_run("train-0002");
  there.entry.folder = "/tmp/latido-1000/runs/02";
  EXPECT_EQ(elsewhere_text({here}, "/home/ana/.latido"), "");
  EXPECT_EQ(elsewhere_text({here, there}, "/home/ana/.latido"),
            "\n in /tmp/latido-1000: train-0002\n");
}

}  // namespace
}  // namespace latido::cli
