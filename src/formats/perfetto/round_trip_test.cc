// What SegmentWriter writes, SegmentReader gives back: every field of every event, across segments.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <random>
#include <span>
#include <vector>

#include "formats/perfetto/segment_reader.h"
#include "formats/perfetto/segment_writer.h"
#include "formats/perfetto/testing/sample_timeline.h"

namespace latido::formats::perfetto {
namespace {

using Bytes = std::vector<std::byte>;

// All segments that `events` make, each whole.
std::vector<Bytes> write_all(std::span<const Event> events, const model::Tables& tables,
                             const SegmentWriter::Options& options = {}) {
  SegmentWriter writer(options);
  std::vector<Bytes> segments;
  while (!events.empty()) {
    events = events.subspan(writer.append(events, tables));
    if (writer.segment_full()) segments.push_back(writer.finish_segment());
  }
  segments.push_back(writer.take_block());
  return segments;
}

struct ReadBack {
  std::vector<Event> events;
  model::Tables tables;
  SegmentReader::Counts counts;
};

ReadBack read_all(std::span<const Bytes> segments) {
  SegmentReader reader;
  ReadBack back;
  for (const Bytes& segment : segments) {
    const Status status = reader.read(segment, [&](std::span<const Event> events) {
      back.events.insert(back.events.end(), events.begin(), events.end());
    });
    EXPECT_TRUE(status.has_value()) << status.error().message;
  }
  back.tables = reader.tables();
  back.counts = reader.counts();
  return back;
}

TEST(SegmentRoundTrip, KeepsEveryFieldOfEveryKind) {
  const model::Tables tables = make_tables();
  const auto events = every_kind();
  const ReadBack back = read_all(write_all(events, tables));
  EXPECT_EQ(back.events, events);
  EXPECT_EQ(back.tables, tables);
  EXPECT_EQ(back.counts.malformed + back.counts.lost + back.counts.damaged_blocks, 0U);
  EXPECT_EQ(back.counts.events, events.size());
}

TEST(SegmentRoundTrip, KeepsStreamsThatBreakTheRules) {
  const model::Tables tables = make_tables();
  const std::vector<Event> events{end(10, 1),  begin(20, 0), end(15, 1), begin(8, 0),
                                  begin(9, 1), end(7, 1),    end(7, 0),  end(7, 0)};
  EXPECT_EQ(read_all(write_all(events, tables)).events, events);
}

// Random nested zones on three tracks.
std::vector<Event> random_events(std::size_t count) {
  std::mt19937_64 random(7);
  std::array<std::vector<std::uint32_t>, 3> open;
  std::array<std::int64_t, 3> now{1'000'000, 2'000'000, 1'500'000};
  std::vector<Event> events;
  while (events.size() < count) {
    const auto track = static_cast<std::uint32_t>(random() % 3);
    now[track] += static_cast<std::int64_t>(random() % 20'000);
    auto& stack = open[track];
    if (stack.size() < 2 || (stack.size() < 6 && random() % 2 == 0)) {
      stack.push_back(random() % 2 == 0 ? 1 : 0);
      events.push_back(begin(now[track], stack.back(), track));
    } else {
      events.push_back(end(now[track], stack.back(), track));
      stack.pop_back();
    }
  }
  return events;
}

TEST(SegmentRoundTrip, HoldsAcrossSegmentsWithZonesOpen) {
  const model::Tables tables = make_tables();
  const auto events = random_events(60'000);
  const auto segments =
      write_all(events, tables, {.block_bytes = 20'000, .segment_bytes = 200'000});
  ASSERT_GT(segments.size(), 5U);
  const ReadBack back = read_all(segments);
  EXPECT_EQ(back.events, events);
  EXPECT_EQ(back.counts.repaired_zones, 0U);
}

TEST(SegmentRoundTrip, OneSegmentAloneKnowsWhatWasOpen) {
  const model::Tables tables = make_tables();
  SegmentWriter writer({});
  const std::vector<Event> first{begin(100, 0), begin(110, 1), begin(105, 1, 1)};
  ASSERT_EQ(writer.append(first, tables), first.size());
  writer.finish_segment();
  const std::vector<Event> second{end(210, 1), end(220, 0)};
  ASSERT_EQ(writer.append(second, tables), second.size());
  const std::vector<Bytes> segments{writer.take_block()};
  const std::vector<Event> want{begin(100, 0), begin(110, 1), begin(105, 1, 1), end(210, 1),
                                end(220, 0)};
  EXPECT_EQ(read_all(segments).events, want);
}

TEST(SegmentRoundTrip, ConcatenatedSegmentsAreOneTrace) {
  const auto events = random_events(30'000);
  const auto segments = write_all(events, make_tables(), {.segment_bytes = 200'000});
  ASSERT_GT(segments.size(), 1U);
  std::vector<Bytes> whole(1);
  for (const Bytes& segment : segments) {
    whole[0].insert(whole[0].end(), segment.begin(), segment.end());
  }
  EXPECT_EQ(read_all(whole).events, events);
}

}  // namespace
}  // namespace latido::formats::perfetto
