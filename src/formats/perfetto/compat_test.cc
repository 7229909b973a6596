// Segments of every released format version stay readable: tests/compat/segments/ holds one of each,
// never edited. Run with LATIDO_WRITE_COMPAT=1 to write those of a new version.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "formats/perfetto/deflate.h"
#include "formats/perfetto/packet_view.h"
#include "formats/perfetto/segment_reader.h"
#include "formats/perfetto/segment_writer.h"
#include "formats/perfetto/testing/sample_timeline.h"

namespace latido::formats::perfetto {
namespace {

const std::filesystem::path kFolder = LATIDO_SOURCE_DIR "/tests/compat/segments";

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string read_file(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// The sample timeline cut in two where zones are open; in the second segment its last zone ends.
std::vector<std::string> write_sample() {
  const model::Tables tables = make_tables();
  SegmentWriter writer(
      {.anchor = {
           .monotonic_ns = 1'000, .boottime_ns = 2'000, .realtime_ns = 1'700'000'000'000'000'000}});
  const std::vector<Event> events = every_kind();
  const auto half = std::span(events).first(events.size() / 2);
  const auto rest = std::span(events).subspan(half.size());
  EXPECT_EQ(writer.append(half, tables), half.size());
  std::vector<std::string> segments{as_text(writer.finish_segment())};
  EXPECT_EQ(writer.append(rest, tables), rest.size());
  segments.push_back(as_text(writer.take_block()));
  return segments;
}

// What is in the blocks: compressed bytes differ between versions of the library.
std::string inflated(std::string_view segment) {
  std::string raw;
  Inflater inflater(1U << 20U);
  for (std::string_view packet; next_packet(segment, packet);) {
    PacketView view;
    EXPECT_TRUE(parse_packet(packet, view));
    const auto block = inflater.decompress(view.compressed);
    EXPECT_TRUE(block.has_value());
    raw += block.value();
  }
  return raw;
}

TEST(SegmentCompat, ReadsVersionOne) {
  SegmentReader reader;
  std::vector<Event> got;
  for (const char* const name : {"v1-0001.pftrace", "v1-0002.pftrace"}) {
    const std::string segment = read_file(kFolder / name);
    ASSERT_FALSE(segment.empty()) << kFolder / name;
    const Status status =
        reader.read(std::as_bytes(std::span(segment)), [&](std::span<const Event> events) {
          got.insert(got.end(), events.begin(), events.end());
        });
    ASSERT_TRUE(status.has_value()) << status.error().message;
  }
  EXPECT_EQ(got, every_kind());
  EXPECT_EQ(reader.tables(), make_tables());
}

TEST(SegmentCompat, StillWritesTheSamePackets) {
  const std::vector<std::string> segments = write_sample();
  for (std::size_t i = 0; i < segments.size(); ++i) {
    const auto path = kFolder / ("v1-000" + std::to_string(i + 1) + ".pftrace");
    if (std::getenv("LATIDO_WRITE_COMPAT") != nullptr) {
      std::ofstream(path, std::ios::binary) << segments[i];
    }
    EXPECT_EQ(inflated(segments[i]), inflated(read_file(path))) << path;
  }
}

}  // namespace
}  // namespace latido::formats::perfetto
