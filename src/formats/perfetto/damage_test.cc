// Damaged segments: what is whole is delivered, the rest is counted, nothing crashes.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/perfetto/segment_reader.h"
#include "formats/perfetto/segment_writer.h"
#include "formats/perfetto/testing/sample_timeline.h"

namespace latido::formats::perfetto {
namespace {

using Bytes = std::vector<std::byte>;

struct Outcome {
  std::vector<Event> events;
  SegmentReader::Counts counts;
};

Outcome read(std::span<const Bytes> segments) {
  SegmentReader reader;
  Outcome outcome;
  for (const Bytes& segment : segments) {
    const Status status = reader.read(segment, [&](std::span<const Event> events) {
      outcome.events.insert(outcome.events.end(), events.begin(), events.end());
    });
    EXPECT_TRUE(status.has_value());
  }
  outcome.counts = reader.counts();
  return outcome;
}

// `blocks` blocks with ten zones each.
struct Written {
  std::vector<Bytes> blocks;
  std::vector<Event> events;
};

Written write_blocks(int blocks) {
  const model::Tables tables = make_tables();
  SegmentWriter writer({});
  Written written;
  std::int64_t now = 1'000;
  for (int i = 0; i < blocks; ++i) {
    std::vector<Event> events;
    for (int zone = 0; zone < 10; ++zone) {
      events.push_back(begin(now += 10, 0));
      events.push_back(end(now += 10, 0));
    }
    EXPECT_EQ(writer.append(events, tables), events.size());
    written.blocks.push_back(writer.take_block());
    written.events.insert(written.events.end(), events.begin(), events.end());
  }
  return written;
}

Bytes join(std::span<const Bytes> blocks) {
  Bytes all;
  for (const Bytes& block : blocks) all.insert(all.end(), block.begin(), block.end());
  return all;
}

TEST(DamagedSegment, ATruncatedTailLosesTheLastBlockOnly) {
  const Written written = write_blocks(3);
  const Bytes whole = join(written.blocks);
  const std::size_t two = written.blocks[0].size() + written.blocks[1].size();
  for (std::size_t size = two; size < whole.size(); ++size) {
    SCOPED_TRACE(size);
    const std::vector<Bytes> cut{Bytes(whole.begin(), whole.begin() + static_cast<long>(size))};
    const Outcome got = read(cut);
    EXPECT_TRUE(std::ranges::equal(got.events, std::span(written.events).first(40)));
    EXPECT_EQ(got.counts.truncated_bytes, size - two);
  }
}

TEST(DamagedSegment, ALostBlockTakesWhatBuildsOnIt) {
  Written written = write_blocks(3);
  Bytes& middle = written.blocks[1];
  middle[middle.size() / 2] ^= std::byte{0xFF};
  const std::vector<Bytes> segments{join(written.blocks)};
  const Outcome got = read(segments);
  EXPECT_TRUE(std::ranges::equal(got.events, std::span(written.events).first(20)));
  EXPECT_EQ(got.counts.damaged_blocks, 1U);
  EXPECT_EQ(got.counts.lost, 20U);
}

TEST(DamagedSegment, TheNextSegmentIsReadAgainAndEndsWhatWasLost) {
  const model::Tables tables = make_tables();
  SegmentWriter writer({});
  const std::vector<Event> first{begin(100, 0), begin(110, 1)};
  ASSERT_EQ(writer.append(first, tables), first.size());
  std::vector<Bytes> segments{writer.take_block()};
  const std::vector<Event> lost{end(120, 1)};
  ASSERT_EQ(writer.append(lost, tables), lost.size());
  writer.finish_segment();  // never reaches the disk
  const std::vector<Event> second{begin(200, 6), end(210, 6), end(220, 0)};
  ASSERT_EQ(writer.append(second, tables), second.size());
  segments.push_back(writer.take_block());
  const Outcome got = read(segments);
  const std::vector<Event> want{begin(100, 0), begin(110, 1), end(200, 1),
                                begin(200, 6), end(210, 6),   end(220, 0)};
  EXPECT_EQ(got.events, want);
  EXPECT_EQ(got.counts.repaired_zones, 1U);
}

TEST(DamagedSegment, NoByteFlippedAnywhereCrashesTheReader) {
  const Bytes whole = join(write_blocks(2).blocks);
  for (std::size_t at = 0; at < whole.size(); ++at) {
    for (const std::byte flip : {std::byte{0x01}, std::byte{0x80}, std::byte{0xFF}}) {
      std::vector<Bytes> segments{whole};
      segments[0][at] ^= flip;
      read(segments);
    }
  }
}

TEST(DamagedSegment, SaysWhenANewerVersionRecorded) {
  // Trace.packet { latido { version: 2 } }
  constexpr std::string_view kNewer = "\x0A\x05\xE2\x76\x02\x08\x02";
  SegmentReader reader;
  const Status status =
      reader.read(std::as_bytes(std::span(kNewer)), [](std::span<const Event>) {});
  ASSERT_FALSE(status.has_value());
  EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
  EXPECT_NE(status.error().message.find("recorded by a newer version"), std::string::npos);
}

TEST(DamagedSegment, ABlockThatInflatesWithoutEndIsRefused) {
  Deflater deflater(6);
  const std::string zeros(8U << 20U, '\0');
  const auto bomb = deflater.compress(zeros);
  const auto varint = [](std::size_t value) {
    std::array<char, 10> bytes;
    return std::string(bytes.data(), put_varint(bytes.data(), value));
  };
  const std::string field = "\x92\x03" + varint(bomb.size());
  const std::string head = "\x0A" + varint(field.size() + bomb.size()) + field;
  const auto head_bytes = std::as_bytes(std::span(head));
  Bytes segment(head_bytes.begin(), head_bytes.end());
  segment.insert(segment.end(), bomb.begin(), bomb.end());
  const std::vector<Bytes> segments{segment};
  EXPECT_EQ(read(segments).counts.damaged_blocks, 1U);
}

TEST(SegmentWriter, CountsEventsThatPointNowhere) {
  const model::Tables tables = make_tables();
  SegmentWriter writer({});
  const std::vector<Event> events{begin(1, 99), begin(1, 0, 99), point(EventKind::kText, 1, 4, 99),
                                  begin(2, 0)};
  EXPECT_EQ(writer.append(events, tables), events.size());
  EXPECT_EQ(writer.malformed(), 3U);
  const std::vector<Bytes> segments{writer.take_block()};
  EXPECT_EQ(read(segments).events, std::vector<Event>{begin(2, 0)});
}

TEST(SegmentWriter, KeepsSegmentsWithinTheirLimit) {
  const model::Tables tables = make_tables();
  std::vector<Event> events;
  for (std::int64_t now = 0; now < 40'000; now += 2) {
    events.push_back(begin(now, 0));
    events.push_back(end(now + 1, 0));
  }
  constexpr std::size_t kLimit = 300'000;
  SegmentWriter writer({.segment_bytes = kLimit});
  std::span<const Event> rest(events);
  int segments = 0;
  while (!rest.empty()) {
    rest = rest.subspan(writer.append(rest, tables));
    const auto bytes = writer.segment_full() ? writer.finish_segment() : writer.take_block();
    Inflater inflater(1U << 20U);
    std::size_t raw = 0;
    std::string_view text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
    for (std::string_view packet; next_packet(text, packet);) {
      PacketView view;
      ASSERT_TRUE(parse_packet(packet, view));
      raw += inflater.decompress(view.compressed).value().size();
    }
    EXPECT_LE(raw, kLimit);
    ++segments;
  }
  EXPECT_GT(segments, 1);
}

}  // namespace
}  // namespace latido::formats::perfetto
