// Writes the seeds of perfetto_reader_fuzz into the folder that is the one argument.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formats/perfetto/deflate.h"
#include "formats/perfetto/packet_view.h"
#include "formats/perfetto/segment_writer.h"
#include "formats/perfetto/testing/sample_timeline.h"

namespace {

using namespace latido::formats::perfetto;

std::string as_text(const std::vector<std::byte>& bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

std::string inflated(std::string_view segment) {
  std::string raw;
  Inflater inflater(1U << 20U);
  for (std::string_view packet; next_packet(segment, packet);) {
    PacketView view;
    if (!parse_packet(packet, view)) continue;
    const auto block = inflater.decompress(view.compressed);
    if (block.has_value()) raw += block.value();
  }
  return raw;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: perfetto_seeds FOLDER\n", stderr);
    return 2;
  }
  const std::filesystem::path folder = argv[1];
  std::filesystem::create_directories(folder);
  const auto tables = make_tables();
  const auto events = every_kind();
  SegmentWriter writer({});
  const auto write = [&](const std::string& name, std::span<const Event> part) {
    writer.append(part, tables);
    const std::string segment = as_text(writer.finish_segment());
    std::ofstream(folder / (name + ".pftrace"), std::ios::binary) << segment;
    std::ofstream(folder / (name + ".packets"), std::ios::binary) << inflated(segment);
  };
  write("first", std::span(events).first(events.size() / 2));
  write("second", std::span(events).subspan(events.size() / 2));
  return 0;
}
