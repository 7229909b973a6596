#include "formats/perfetto/series_packets.h"

#include <gtest/gtest.h>

#include <bit>
#include <limits>
#include <vector>

#include "formats/perfetto/fields.h"
#include "formats/perfetto/packet_view.h"
#include "formats/perfetto/segment_reader.h"
#include "formats/perfetto/segment_writer.h"
#include "formats/perfetto/testing/sample_timeline.h"

namespace latido::formats::perfetto {
namespace {

std::vector<model::Sample> points(std::size_t count) {
  std::vector<model::Sample> samples;
  for (std::size_t i = 0; i < count; ++i) {
    samples.push_back({.ts_ns = static_cast<std::int64_t>(1'000'000'000 + i),
                       .value = 0.5 * static_cast<double>(i)});
  }
  return samples;
}

// The values of all counter events, and how many compressed blocks there were.
std::vector<double> counters_of(std::string_view bytes, std::size_t& blocks) {
  std::vector<double> values;
  Inflater inflater(1U << 20U);
  std::string_view block;
  while (next_packet(bytes, block)) {
    PacketView outer;
    if (!parse_packet(block, outer) || outer.compressed.empty()) return {};
    ++blocks;
    const auto inflated = inflater.decompress(outer.compressed);
    if (!inflated) return {};
    std::string_view raw = inflated.value();
    std::string_view packet;
    while (next_packet(raw, packet)) {
      PacketView view;
      EventView event;
      if (!parse_packet(packet, view) || !view.has_track_event) continue;
      EXPECT_TRUE(parse_event(view.track_event, event));
      EXPECT_EQ(event.type, EventType::kCounter);
      EXPECT_EQ(view.clock_id.value_or(0), ClockId::kMonotonic);
      values.push_back(std::bit_cast<double>(event.counter_bits));
    }
  }
  return values;
}

TEST(SeriesPackets, HoldEveryFinitePoint) {
  SeriesPackets packets;
  packets.append_process(model::ProcessId{0}, make_tables().processes[0]);
  std::vector<model::Sample> samples = points(3);
  samples[1].value = std::numeric_limits<double>::quiet_NaN();
  packets.append({.metric = "run.rss_bytes", .process = model::ProcessId{0}, .label = {}}, samples);
  packets.append({.metric = "host.cpu", .process = model::kHost, .label = "cpu0"}, points(2));
  std::size_t blocks = 0;
  EXPECT_EQ(counters_of(packets.take(), blocks), (std::vector<double>{0, 1, 0, 0.5}));
  EXPECT_EQ(blocks, 1U);
  EXPECT_EQ(packets.take(), "");
}

TEST(SeriesPackets, AreCutIntoBlocksThatPerfettoTakes) {
  SeriesPackets packets;
  packets.append({.metric = "host.cpu", .process = model::kHost, .label = {}}, points(40'000));
  std::size_t blocks = 0;
  EXPECT_EQ(counters_of(packets.take(), blocks).size(), 40'000U);
  EXPECT_GT(blocks, 1U);
}

TEST(SeriesPackets, ChangeNothingOfTheSegmentsBeforeThem) {
  const model::Tables tables = make_tables();
  SegmentWriter writer({});
  writer.append(every_kind(), tables);
  std::vector<std::byte> trace = writer.finish_segment();
  SeriesPackets packets;
  packets.append({.metric = "host.cpu", .process = model::kHost, .label = {}}, points(10));
  for (const char c : packets.take()) trace.push_back(static_cast<std::byte>(c));
  SegmentReader reader;
  std::size_t events = 0;
  ASSERT_TRUE(reader.read(trace, [&](std::span<const model::Event> got) { events += got.size(); }));
  EXPECT_EQ(events, every_kind().size());
  EXPECT_EQ(reader.counts().malformed, 0U);
  EXPECT_EQ(reader.counts().damaged_blocks, 0U);
}

}  // namespace
}  // namespace latido::formats::perfetto
