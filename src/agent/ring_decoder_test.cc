#include "agent/ring_decoder.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

namespace latido::agent {
namespace {

using capture::ExtendedKind;
using capture::RecordKind;
using model::EventKind;
using namespace std::string_view_literals;

// One tick is one nanosecond.
const TickClock kClock({0, 0}, {1'000'000'000, 1'000'000'000});

class RecordsOf {
 public:
  explicit RecordsOf(std::uint32_t thread) { records_.thread = records_.tid = thread; }
  RecordsOf& site(std::uint32_t id, std::string_view text, std::uint32_t line = 0) {
    return add_text(ExtendedKind::kSite, id, line, text, 0);
  }
  RecordsOf& begin(std::uint32_t id, std::uint64_t ticks) {
    records_.records.push_back({.head = capture::head_word(RecordKind::kBegin, id, ticks)});
    return *this;
  }
  RecordsOf& end(std::uint32_t id, std::uint64_t ticks) {
    records_.records.push_back({.head = capture::head_word(RecordKind::kEnd, id, ticks)});
    return *this;
  }
  RecordsOf& arg(std::uint32_t id, std::uint64_t ticks, std::uint64_t number) {
    records_.records.push_back({.head = capture::head_word(RecordKind::kExtended, id, ticks),
                                .number = number,
                                .extended = ExtendedKind::kArg});
    return *this;
  }
  RecordsOf& text(std::uint32_t id, std::uint64_t ticks, std::string_view text) {
    return add_text(ExtendedKind::kText, id, 0, text, ticks);
  }
  RecordsOf& ended() {
    records_.ended = true;
    return *this;
  }
  const ThreadRecords& records() const { return records_; }

 private:
  RecordsOf& add_text(ExtendedKind kind, std::uint32_t id, std::uint64_t number,
                      std::string_view text, std::uint64_t ticks) {
    records_.records.push_back({.head = capture::head_word(RecordKind::kExtended, id, ticks),
                                .number = number,
                                .index = static_cast<std::uint32_t>(text.size()),
                                .text_offset = static_cast<std::uint32_t>(records_.texts.size()),
                                .extended = kind});
    records_.texts += text;
    return *this;
  }
  ThreadRecords records_;
};

class RingDecoderTest : public ::testing::Test {
 protected:
  std::uint64_t decode(const std::vector<ThreadRecords>& threads) {
    return decoder_.decode(threads, kClock, events_);
  }
  const model::Site& site_of(const model::Event& event) const {
    return tables_.tables().sites[model::index_of(event.site)];
  }

  TableBuilder tables_;
  RingDecoder decoder_{tables_.process(1, 0, 0, 0), tables_};
  std::vector<model::Event> events_;
};

TEST_F(RingDecoderTest, ReadsZonesWithTheirSites) {
  const auto records =
      RecordsOf(1).site(1, "load\0data_wait\0train.py"sv, 7).begin(1, 100).end(1, 250).records();
  EXPECT_EQ(decode({records}), 0U);
  ASSERT_EQ(events_.size(), 2U);
  EXPECT_EQ(events_[0].kind, EventKind::kBegin);
  EXPECT_EQ(events_[0].ts_ns, 100);
  EXPECT_EQ(events_[1].kind, EventKind::kEnd);
  EXPECT_EQ(events_[1].ts_ns, 250);
  EXPECT_EQ(site_of(events_[0]), (model::Site{"load", model::Category::kDataWait, "train.py", 7}));
}

TEST_F(RingDecoderTest, FindsASiteThatALaterChunkDefines) {
  const auto user = RecordsOf(1).begin(1, 100).end(1, 200).records();
  const auto definer = RecordsOf(2).site(1, "late\0zone\0"sv).records();
  EXPECT_EQ(decode({user, definer}), 0U);
  EXPECT_EQ(events_.size(), 2U);
}

TEST_F(RingDecoderTest, AsksOnceForASiteThatWasNotDrainedYet) {
  const auto user = RecordsOf(1).begin(1, 100).end(1, 200).begin(7, 300).begin(8, 300).records();
  int asked = 0;
  const auto more_sites = [&] {
    ++asked;
    return std::vector<ThreadRecords>{RecordsOf(2).site(1, "late\0zone\0"sv).records()};
  };
  EXPECT_EQ(decoder_.decode(std::vector<ThreadRecords>{user}, kClock, events_, more_sites), 2U);
  EXPECT_EQ(asked, 1);
  ASSERT_EQ(events_.size(), 2U);
  EXPECT_EQ(site_of(events_[0]).name, "late");
}

TEST_F(RingDecoderTest, CountsWhatMakesNoSense) {
  struct Case {
    const char* name;
    ThreadRecords records;
  };
  const std::vector<Case> cases{
      {"end without begin", RecordsOf(1).end(0, 1).records()},
      {"site never defined", RecordsOf(2).begin(9, 1).records()},
      {"argument outside of a zone", RecordsOf(3).arg(0, 1, 5).records()},
  };
  for (const Case& c : cases) {
    SCOPED_TRACE(c.name);
    EXPECT_EQ(decode({c.records}), 1U);
    EXPECT_TRUE(events_.empty());
  }
}

TEST_F(RingDecoderTest, NeverLetsATracksTimeRunBackwards) {
  decode({RecordsOf(1).begin(0, 500).end(0, 400).records()});
  ASSERT_EQ(events_.size(), 2U);
  EXPECT_EQ(events_[1].ts_ns, 500);
}

TEST_F(RingDecoderTest, EndsWhatAGoneThreadLeftOpen) {
  decode({RecordsOf(1).begin(0, 100).begin(0, 200).ended().records()});
  ASSERT_EQ(events_.size(), 4U);
  EXPECT_EQ(events_[2].kind, EventKind::kEnd);
  EXPECT_EQ(events_[3].ts_ns, 200);
}

TEST_F(RingDecoderTest, GivesAReusedTidATrackOfItsOwn) {
  ThreadRecords again = RecordsOf(1).begin(0, 300).records();
  again.thread = 2;
  decode({RecordsOf(1).begin(0, 100).ended().records(), again});
  EXPECT_NE(events_.front().track, events_.back().track);
}

TEST_F(RingDecoderTest, KeepsTextsAsUtf8) {
  decode({RecordsOf(1).text(0, 5, "caf\xC3\xA9 \xFF").records()});
  ASSERT_EQ(events_.size(), 1U);
  EXPECT_EQ(tables_.tables().texts[events_[0].payload], "café \xEF\xBF\xBD");
}

}  // namespace
}  // namespace latido::agent
