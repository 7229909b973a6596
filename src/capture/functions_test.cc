// Functions of a program built with -finstrument-functions: whatever it does, begins and ends in the ring are
// balanced. Each scenario runs in a program of its own, with frame pointers and without.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include "capture/testing/agent_stub.h"
#include "capture/testing/ring_reader.h"

namespace latido::capture {
namespace {

using testing::AgentStub;
using testing::ReceivedRing;
using testing::Record;
using testing::RingReader;
using testing::ZoneTally;
using Lines = std::vector<std::string>;

// A running program, with pipes to its input and output.
class Probe {
 public:
  Probe(const AgentStub& agent, std::string_view program, const Lines& arguments,
        const std::map<std::string, std::string>& environment) {
    std::array<int, 2> in{};
    std::array<int, 2> out{};
    EXPECT_EQ(pipe2(in.data(), O_CLOEXEC), 0);
    EXPECT_EQ(pipe2(out.data(), O_CLOEXEC), 0);
    pid_ = testing::start_child(agent, [&] {
      for (const auto& [name, value] : environment) setenv(name.c_str(), value.c_str(), 1);
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      std::vector<std::string> all{std::string(program)};
      all.insert(all.end(), arguments.begin(), arguments.end());
      std::vector<char*> pointers;
      for (std::string& argument : all) pointers.push_back(argument.data());
      pointers.push_back(nullptr);
      execv(pointers[0], pointers.data());
      testing::fail("exec");
    });
    to_.reset(in[1]);
    from_.reset(out[0]);
    close(in[0]);
    close(out[1]);
  }

  // Until it waits for go_on().
  void wait() {
    while (text_.find("waiting") == std::string::npos && read_more()) continue;
  }
  void go_on() const { EXPECT_EQ(write(to_.get(), "go\n", 3), 3); }
  // Waits for its end. Names of its functions by address.
  std::map<std::string, std::string> finish() {
    while (read_more()) continue;
    testing::expect_success(pid_);
    std::map<std::string, std::string> names;
    std::istringstream lines(text_);
    for (std::string name, address; lines >> name >> address;) names[address] = name;
    return names;
  }

 private:
  bool read_more() {
    std::array<char, 4096> bytes{};
    const ssize_t count = read(from_.get(), bytes.data(), bytes.size());
    if (count > 0) text_.append(bytes.data(), static_cast<std::size_t>(count));
    return count > 0;
  }

  std::string text_;
  pid_t pid_ = -1;
  UniqueFd to_;
  UniqueFd from_;
};

// The address in "program+0x1a2b#identity".
std::string address_of(const std::string& site) {
  const std::size_t plus = site.rfind("+0x");
  const std::size_t hash = site.rfind('#');
  if (plus == site.npos || hash == site.npos || hash < plus) return site;
  return site.substr(plus + 3, hash - plus - 3);
}

struct Recorded {
  Lines lines;
  ZoneTally tally;
  std::uint64_t dropped = 0;
};

Recorded read_all(const ReceivedRing& ring, const std::map<std::string, std::string>& names) {
  Recorded recorded;
  RingReader reader(ring);
  std::vector<Record> records;
  reader.read([&](const Record& record) { records.push_back(record); });
  for (const Record& record : records) {
    recorded.tally.take(record);
    const auto& site = reader.sites().at(record.id);
    const auto name = names.find(address_of(site.name));
    const std::string shown = name == names.end() ? site.name : name->second;
    switch (record.kind) {
      case RecordKind::kBegin:
        recorded.lines.push_back("begin " + shown);
        break;
      case RecordKind::kEnd:
        recorded.lines.push_back("end " + shown);
        break;
      default:
        recorded.lines.push_back("elided " + shown + " " + std::to_string(record.payload));
    }
  }
  recorded.dropped = ring.header().dropped.load();
  return recorded;
}

const std::map<std::string, std::string> kFull{{"LATIDO_RUN_FUNCTIONS", "full"}};
const std::map<std::string, std::string> kAdaptive{{"LATIDO_RUN_FUNCTIONS", "adaptive"}};

class Functions : public ::testing::TestWithParam<const char*> {
 protected:
  Recorded run(const std::string& scenario) {
    Probe probe(agent_, GetParam(), {scenario}, kFull);
    ring_ = agent_.receive();
    return read_all(ring_, probe.finish());
  }
  static bool has_frame_pointers() {
    return std::string_view(GetParam()) == LATIDO_INSTRUMENTED_PROBE;
  }

  AgentStub agent_;
  ReceivedRing ring_;
};

INSTANTIATE_TEST_SUITE_P(Programs, Functions,
                         ::testing::Values(LATIDO_INSTRUMENTED_PROBE,
                                           LATIDO_INSTRUMENTED_PROBE_WITHOUT_FRAMES),
                         [](const auto& program) {
                           return program.index == 0 ? "WithFramePointers" : "WithoutFramePointers";
                         });

TEST_P(Functions, AreRecordedAtEntryAndExit) {
  EXPECT_EQ(run("nested").lines, (Lines{"begin outer", "begin middle", "begin leaf", "end leaf",
                                        "begin leaf", "end leaf", "end middle", "end outer"}));
}

TEST_P(Functions, EndAlsoWhereTheirLastInstructionIsAJumpToTheHook) {
  EXPECT_EQ(run("jumps_to_exit").lines,
            (Lines{"begin jumps_to_exit", "begin leaf", "end leaf", "end jumps_to_exit",
                   "begin jumps_to_exit", "begin leaf", "end leaf", "end jumps_to_exit"}));
}

TEST_P(Functions, LeftByAnExceptionAreEndedBeforeTheNextOneBegins) {
  const Lines once{"begin catcher", "begin thrower", "begin thrower", "begin thrower",
                   "end thrower",   "end thrower",   "end thrower",   "begin leaf",
                   "end leaf",      "end catcher"};
  Lines twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(run("exception").lines, twice);
}

TEST_P(Functions, LeftByLongjmpAreEndedAtTheLatestWithTheFunctionThatJumpedTo) {
  const Recorded recorded = run("longjmp");
  EXPECT_EQ(recorded.tally.begins(), 2U * 6U);
  EXPECT_EQ(recorded.tally.ends(), recorded.tally.begins());
  EXPECT_EQ(recorded.tally.misplaced_ends(), 0U);
  EXPECT_EQ(recorded.lines.back(), "end jump_catcher");
  if (!has_frame_pointers()) return;  // then some frames cannot be told from that of leaf
  EXPECT_EQ(
      Lines(recorded.lines.begin(), recorded.lines.begin() + 12),
      (Lines{"begin jump_catcher", "begin long_jumper", "begin long_jumper", "begin long_jumper",
             "begin long_jumper", "end long_jumper", "end long_jumper", "end long_jumper",
             "end long_jumper", "begin leaf", "end leaf", "end jump_catcher"}));
}

TEST_P(Functions, DeeperThanTheRingHasRoomForAreDroppedAndCounted) {
  Probe probe(agent_, GetParam(), {"deep"}, kFull);
  const ReceivedRing ring = agent_.receive();
  RingReader reader(ring);
  ZoneTally tally;
  const auto take = [&](const Record& record) { tally.take(record); };
  const auto dropped = [&] { return ring.header().dropped.load(); };
  probe.wait();
  reader.read(take);
  EXPECT_GT(tally.begins(), 7'000U);
  probe.go_on();
  probe.finish();
  reader.read(take);
  EXPECT_EQ(tally.begins() + dropped(), 10'001U + 4U);
  EXPECT_EQ(tally.begins(), tally.ends());
  EXPECT_EQ(tally.misplaced_ends(), 0U);
}

TEST_P(Functions, OfEachThreadAreBalanced) {
  const Recorded recorded = run("threads");
  EXPECT_EQ(recorded.tally.misplaced_ends(), 0U);
  EXPECT_EQ(recorded.tally.threads(), 5U);
  EXPECT_EQ(recorded.tally.begins() + recorded.dropped, 4U + 4U * 1000U * 4U);
  EXPECT_EQ(recorded.tally.begins(), recorded.tally.ends());
}

TEST_P(Functions, OfAForkedChildAreInItsOwnRing) {
  Probe probe(agent_, GetParam(), {"fork"}, kFull);
  const ReceivedRing parent = agent_.receive();
  const ReceivedRing child = agent_.receive();
  const auto names = probe.finish();
  const Lines once{"begin outer", "begin middle", "begin leaf", "end leaf",
                   "begin leaf",  "end leaf",     "end middle", "end outer"};
  Lines twice = once;
  twice.insert(twice.end(), once.begin(), once.end());
  EXPECT_EQ(read_all(parent, names).lines, twice);
  EXPECT_EQ(read_all(child, names).lines, once);
}

TEST_P(Functions, InSignalHandlersAtHighRateCorruptNothing) {
  const Recorded recorded = run("signals");
  EXPECT_EQ(recorded.tally.misplaced_ends(), 0U);
  EXPECT_EQ(recorded.tally.begins(), recorded.tally.ends());
  EXPECT_EQ(recorded.lines.back(), "end outer");
}

TEST_P(Functions, LeftBySiglongjmpOutOfAHandlerCorruptNothing) {
  Probe probe(agent_, GetParam(), {"jumping_signals"}, kFull);
  const ReceivedRing ring = agent_.receive();
  probe.wait();
  // A hook that was left half done costs the thread its chunk, and nobody gives chunks back here.
  ring.header().control.store(control_word({.chunks = kChunkCount}));
  probe.go_on();
  const Recorded recorded = read_all(ring, probe.finish());
  EXPECT_EQ(recorded.tally.misplaced_ends(), 0U);
  EXPECT_GT(recorded.tally.begins(), 1'000U);
}

TEST_P(Functions, OnASignalStackAreInsideOfWhatTheyInterrupt) {
  const Recorded recorded = run("other_stack");
  Lines expected;
  for (int i = 0; i < 3; ++i) {
    for (const char* line :
         {"begin raises", "begin on_signal", "begin in_handler", "end in_handler", "end on_signal",
          "begin leaf", "end leaf", "end raises"}) {
      expected.emplace_back(line);
    }
  }
  EXPECT_EQ(recorded.lines, expected);
}

TEST_P(Functions, OfCoroutinesEndAtTheLatestWhenTheirStackIsLeft) {
  const Recorded recorded = run("coroutines");
  EXPECT_EQ(recorded.tally.misplaced_ends(), 0U);
  EXPECT_EQ(recorded.tally.begins(), recorded.tally.ends());
  const auto count = [&](const char* line) {
    return std::count(recorded.lines.begin(), recorded.lines.end(), line);
  };
  EXPECT_EQ(count("begin scheduler"), 1);
  EXPECT_EQ(count("begin resume"), 8);
  EXPECT_EQ(count("begin coroutine"), 2);
  EXPECT_EQ(recorded.lines.back(), "end outer");
  // The scheduler's own calls are not ended by what runs on other stacks.
  const auto end = std::find(recorded.lines.begin(), recorded.lines.end(), "end scheduler");
  EXPECT_EQ(std::count(recorded.lines.begin(), end, "end resume"), 8);
}

TEST(FunctionModes, ShortFunctionsAreElidedAndLookedAtAgainWhenTheBeatChanges) {
  AgentStub agent;
  Probe probe(agent, LATIDO_INSTRUMENTED_PROBE, {"judged"}, kAdaptive);
  const ReceivedRing ring = agent.receive();
  RingReader reader(ring);
  std::uint64_t begins = 0;
  std::vector<std::uint64_t> elided;
  const auto take = [&](const Record& record) {
    if (record.kind == RecordKind::kBegin) ++begins;
    if (record.kind == RecordKind::kExtended) elided.push_back(record.payload);
  };
  probe.wait();
  reader.read(take);
  ring.header().control.store(control_word({.beat = 1}));
  probe.go_on();
  probe.finish();
  reader.read(take);
  EXPECT_EQ(elided, (std::vector<std::uint64_t>{256, 256 + 32}));
  EXPECT_EQ(begins, 256U + 32U);
}

TEST(FunctionModes, DetailThatTheAgentTakesAwayIsNotRecorded) {
  struct Case {
    const char* name;
    Reduction reduction;
    std::size_t begins;
  };
  for (const Case& c : {Case{"nothing given up", Reduction::kNone, 8},
                        Case{"full becomes adaptive", Reduction::kAdaptive, 8},
                        Case{"steps only", Reduction::kStepsOnly, 4}}) {
    SCOPED_TRACE(c.name);
    AgentStub agent;
    Probe probe(agent, LATIDO_INSTRUMENTED_PROBE, {"waits"}, kFull);
    const ReceivedRing ring = agent.receive();
    RingReader reader(ring);
    std::size_t begins = 0;
    const auto take = [&](const Record& record) {
      if (record.kind == RecordKind::kBegin) ++begins;
    };
    probe.wait();
    reader.read(take);
    ring.header().control.store(control_word({.reduction = c.reduction}));
    probe.go_on();
    probe.finish();
    reader.read(take);
    EXPECT_EQ(begins, c.begins);
  }
}

TEST(FunctionModes, NothingIsRecordedWhereNobodyAskedForIt) {
  struct Case {
    const char* name;
    std::map<std::string, std::string> environment;
  };
  const std::vector<Case> cases{
      {"no mode", {}},
      {"off", {{"LATIDO_RUN_FUNCTIONS", "off"}}},
      {"excluded",
       {{"LATIDO_RUN_FUNCTIONS", "full"}, {"LATIDO_RUN_EXCLUDE", "x,instrumented_probe*"}}},
      {"not included", {{"LATIDO_RUN_FUNCTIONS", "full"}, {"LATIDO_RUN_INCLUDE", "*/other/*"}}},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    AgentStub agent;
    Probe(agent, LATIDO_INSTRUMENTED_PROBE, {"nested"}, c.environment).finish();
    if (agent.nobody_came()) continue;
    const ReceivedRing ring = agent.receive();
    EXPECT_EQ(read_all(ring, {}).lines, Lines{});
  }
}

TEST(FunctionModes, AnUnloadedLibraryDoesNotGiveItsNameToTheNextOne) {
  AgentStub agent;
  Probe probe(agent, LATIDO_INSTRUMENTED_PROBE,
              {"loads", LATIDO_INSTRUMENTED_LIBRARY_A, LATIDO_INSTRUMENTED_LIBRARY_B}, kFull);
  const ReceivedRing ring = agent.receive();
  RingReader reader(ring);
  std::vector<std::string> files;
  const auto take = [&](const Record& record) {
    if (record.kind == RecordKind::kBegin) files.push_back(reader.sites().at(record.id).file);
  };
  probe.wait();
  reader.read(take);
  ring.header().control.store(control_word({.beat = 1}));
  probe.go_on();
  probe.finish();
  reader.read(take);
  EXPECT_EQ(files, (std::vector<std::string>{LATIDO_INSTRUMENTED_LIBRARY_A,
                                             LATIDO_INSTRUMENTED_LIBRARY_B}));
}

}  // namespace
}  // namespace latido::capture
