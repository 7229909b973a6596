// What one thread records: order, nesting, and everything that is not a zone.
#include <errno.h>
#include <gtest/gtest.h>

#include <cstring>

#include "capture/testing/agent_stub.h"
#include "capture/testing/ring_reader.h"
#include "latido/latido.h"

namespace latido::capture {
namespace {

using testing::AgentStub;
using testing::check;
using testing::read_lines;
using testing::RingReader;
using testing::run_child;
using testing::ZoneTally;
using Lines = std::vector<std::string>;

TEST(Zone, BeginsAndEndsInTheOrderOfTheProgram) {
  AgentStub agent;
  run_child(agent, [] {
    for (int i = 0; i < 2; ++i) {
      LATIDO_ZONE("outer");
      LATIDO_ZONE("inner");
    }
  });
  EXPECT_EQ(read_lines(agent.receive()),
            (Lines{"begin outer", "begin inner", "end inner", "end outer", "begin outer",
                   "begin inner", "end inner", "end outer"}));
}

// docs/formats/ring.md, "Worked example"; there with made-up ticks.
TEST(Format, TheWorkedExampleIsWhatIsWritten) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site load{"load", "zone", "a.cc", 12, 0};
    latido_site rows{"rows", "arg", "a.cc", 13, 0};
    check(latido_begin(&load) == 1, "begin");
    latido_arg(&rows, 512);
    latido_end(&load);
  });
  const auto ring = agent.receive();
  constexpr std::uint64_t kTicks = kTickMask << (kKindBits + kIdBits);
  constexpr std::uint64_t kWhole = 0;
  struct Want {
    std::uint64_t word;
    std::uint64_t ignored_bits;
  };
  constexpr Want kWant[] = {
      {0x7, kTicks},
      {0xE05, kWhole},
      {0xC, kWhole},
      {0x6E6F7A0064616F6C, kWhole},
      {0x63632E610065, kWhole},
      {0x5, kTicks},
      {0xB, kTicks},
      {0xD05, kWhole},
      {0xD, kWhole},
      {0x6772610073776F72, kWhole},
      {0x63632E6100, kWhole},
      {0xB, kTicks},
      {0x1, kWhole},
      {0x200, kWhole},
      {0x6, kTicks},
      {0, kWhole},
  };
  for (std::size_t i = 0; i < std::size(kWant); ++i) {
    EXPECT_EQ(ring.words(0)[i].load() & ~kWant[i].ignored_bits, kWant[i].word) << "word " << i;
  }
  EXPECT_EQ(head_ticks(ring.words(0)[6].load()), head_ticks(ring.words(0)[11].load()));
}

TEST(Zone, TicksNeverGoBackAndStartAfterTheLease) {
  AgentStub agent;
  run_child(agent, [] {
    for (int i = 0; i < 1000; ++i) {
      LATIDO_ZONE("zone");
    }
  });
  const auto ring = agent.receive();
  std::uint64_t last = ring.chunk(0).base_ticks & kTickMask;
  RingReader reader(ring);
  reader.read([&](const testing::Record& record) {
    EXPECT_GE(record.ticks, last);
    last = record.ticks;
  });
}

TEST(Zone, KeepsTheSiteTextAsTheProgramGaveIt) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site plain{"plain", nullptr, nullptr, 7, 0};
    latido_site full{"full", "backward", "train.py", 42, 0};
    check(latido_define_site(&plain) == 1, "first id");
    check(latido_define_site(&full) == 2, "second id");
    check(latido_define_site(&plain) == 1, "same id");
    latido_instant(&plain, 0);
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  EXPECT_EQ(read_lines(reader), Lines{"instant plain 0"});
  ASSERT_EQ(reader.sites().size(), 2U);
  const testing::SiteText& plain = reader.sites().at(1);
  EXPECT_EQ(plain.category, "zone");
  EXPECT_EQ(plain.file, "");
  EXPECT_EQ(plain.line, 7U);
  const testing::SiteText& full = reader.sites().at(2);
  EXPECT_EQ(full.category, "backward");
  EXPECT_EQ(full.file, "train.py");
  EXPECT_EQ(full.line, 42U);
  EXPECT_EQ(ring.header().sites.load(), 2U);
}

TEST(Zone, CutsAnEndlessSiteText) {
  AgentStub agent;
  run_child(agent, [] {
    const std::string endless(100'000, 'x');
    latido_site site{endless.c_str(), endless.c_str(), endless.c_str(), 0, 0};
    latido_instant(&site, 1);
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  read_lines(reader);
  EXPECT_EQ(reader.sites().at(1).name.size(), 2048U);
  EXPECT_EQ(reader.sites().at(1).category.size(), 64U);
  EXPECT_EQ(reader.sites().at(1).file.size(), 1024U);
}

TEST(Records, CarryNumbersTextsAndSeries) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site zone{"load", "zone", nullptr, 0, 0};
    latido_site size{"size", "arg", nullptr, 0, 0};
    latido_site loss{"loss", "series", nullptr, 0, 0};
    latido_site hook{"hook", "hook", nullptr, 0, 0};
    check(latido_begin(&zone) == 1, "begin");
    latido_arg(&size, 7);
    latido_end(&zone);
    latido_value(&loss, 3, 0.5);
    latido_text(&hook, "absent: no attribute", 20);
    latido_text(&hook, "", 0);
    latido_step();
    latido_log("queue", 2.5);
    latido_step();
    latido_log("queue", 1.25);
    latido_mark("epoch");
  });
  EXPECT_EQ(read_lines(agent.receive()),
            (Lines{"begin load", "arg size 7", "end load", "value loss[3] 0.5",
                   "text hook absent: no attribute", "text hook ", "instant latido.step 1",
                   "value queue[1] 2.5", "instant latido.step 2", "value queue[2] 1.25",
                   "instant epoch 0"}));
}

TEST(Records, CategoriesOfTheShortFormsAreTheModels) {
  AgentStub agent;
  run_child(agent, [] {
    latido_step();
    latido_log("value", 1);
    latido_mark("mark");
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  read_lines(reader);
  EXPECT_EQ(reader.sites().at(1).category, "step");
  EXPECT_EQ(reader.sites().at(2).category, "series");
  EXPECT_EQ(reader.sites().at(3).category, "mark");
}

TEST(Records, AnArgumentOutsideAnyZoneIsIgnored) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site size{"size", "arg", nullptr, 0, 0};
    latido_arg(&size, 7);
    latido_mark("here");
    check(latido_dropped() == 0, "not a drop");
  });
  EXPECT_EQ(read_lines(agent.receive()), Lines{"instant here 0"});
}

TEST(Records, TextsOfAllLengthsComeBackWhole) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site site{"text", "text", nullptr, 0, 0};
    const std::string text(5000, 't');
    for (std::uint32_t length : {1U, 7U, 8U, 9U, 4095U, 4096U, 4097U, 5000U}) {
      latido_text(&site, text.c_str(), length);
    }
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  std::vector<std::size_t> lengths;
  reader.read([&](const testing::Record& record) { lengths.push_back(record.text.size()); });
  EXPECT_EQ(lengths, (std::vector<std::size_t>{1, 7, 8, 9, 4095, 4096, 4096, 4096}));
}

TEST(Records, AMixCrossesChunksWithoutLoss) {
  AgentStub agent;
  constexpr int kRounds = 20'000;
  run_child(agent, [] {
    latido_site zone{"zone", "zone", nullptr, 0, 0};
    latido_site text{"text", "text", nullptr, 0, 0};
    for (int i = 0; i < kRounds; ++i) {
      const bool open = latido_begin(&zone) == 1;
      latido_text(&text, "0123456789abcdefghijklmnopqrstuvwxyz", static_cast<unsigned>(i % 37));
      if (open) latido_end(&zone);
    }
    check(latido_dropped() == 0, "drops");
  });
  const auto ring = agent.receive();
  RingReader reader(ring);
  ZoneTally tally;
  reader.read([&](const testing::Record& record) { tally.take(record); });
  EXPECT_EQ(tally.begins(), std::uint64_t{kRounds});
  EXPECT_EQ(tally.ends(), std::uint64_t{kRounds});
  EXPECT_EQ(tally.others(), std::uint64_t{kRounds});
  EXPECT_EQ(tally.misplaced_ends(), 0U);
  EXPECT_GT(reader.chunks_given_back(), 5U);
}

void recurse(latido_site& site, int depth, int leaves, int& opened) {
  const bool open = latido_begin(&site) == 1;
  opened += open ? 1 : 0;
  if (depth > 1) {
    recurse(site, depth - 1, leaves, opened);
  } else {
    for (int i = 0; i < leaves; ++i) {
      if (latido_begin(&site) == 1) {
        ++opened;
        latido_end(&site);
      }
    }
  }
  if (open) latido_end(&site);
}

struct DepthCase {
  const char* name;
  int depth;
  int leaves;
  bool drops;
};

TEST(Nesting, OpenZonesKeepRoomForTheirEndsAcrossChunks) {
  for (const DepthCase& c :
       {DepthCase{"shallow", 3, 30'000, false}, DepthCase{"a thousand", 1000, 30'000, false},
        DepthCase{"nearly a chunk", 8000, 3000, false},
        DepthCase{"deeper than a chunk", 20'000, 100, true}}) {
    SCOPED_TRACE(c.name);
    AgentStub agent;
    run_child(agent, [&] {
      latido_site site{"deep", "zone", nullptr, 0, 0};
      int opened = 0;
      recurse(site, c.depth, c.leaves, opened);
      check(static_cast<std::uint64_t>(opened) + latido_dropped() ==
                static_cast<std::uint64_t>(c.depth + c.leaves),
            "every zone is recorded or counted");
      check((latido_dropped() > 0) == c.drops, "drops only where the depth asks for it");
    });
    const auto ring = agent.receive();
    RingReader reader(ring);
    ZoneTally tally;
    reader.read([&](const testing::Record& record) { tally.take(record); });
    EXPECT_EQ(tally.begins(), tally.ends());
    EXPECT_EQ(tally.begins() + ring.header().dropped.load(),
              static_cast<std::uint64_t>(c.depth + c.leaves));
    EXPECT_EQ(tally.misplaced_ends(), 0U);
  }
}

TEST(Nesting, AnEndTooManyIsIgnored) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site site{"zone", "zone", nullptr, 0, 0};
    latido_end(&site);
    check(latido_begin(&site) == 1, "begin");
    latido_end(&site);
    latido_end(&site);
  });
  EXPECT_EQ(read_lines(agent.receive()), (Lines{"begin zone", "end zone"}));
}

TEST(Errno, IsLeftAloneByEveryFunction) {
  AgentStub agent;
  run_child(agent, [] {
    latido_site site{"zone", "zone", nullptr, 0, 0};
    errno = 4711;
    latido_begin(&site);
    check(errno == 4711, "first event");
    for (int i = 0; i < 10'000; ++i) {
      latido_text(&site, "enough for several chunks, so that the system is asked", 50);
      latido_value(&site, 1, 1);
      latido_mark("mark");
      latido_log("log", 1);
      latido_step();
    }
    latido_end(&site);
    check(errno == 4711, "later ones");
  });
  agent.receive();
}

TEST(Literals, BeyondTheTableAreDroppedAndCounted) {
  AgentStub agent;
  run_child(agent, [] {
    static char names[600][8];
    for (auto& name : names) {
      std::strcpy(name, "series");
      latido_log(name, 1);
      latido_log(name, 2);
    }
    check(latido_dropped() == std::uint64_t{2 * 88}, "512 names have room");
  });
  EXPECT_EQ(read_lines(agent.receive()).size(), std::size_t{2 * 512});
}

}  // namespace
}  // namespace latido::capture
