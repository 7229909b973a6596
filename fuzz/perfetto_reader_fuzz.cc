// Feeds bytes to SegmentReader, cut into two segments: it must neither crash nor point outside its tables.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <span>

#include "formats/perfetto/segment_reader.h"

namespace {

using latido::formats::perfetto::SegmentReader;
namespace model = latido::model;

void check(const model::Event& event, const model::Tables& tables) {
  bool good = model::index_of(event.site) < tables.sites.size() &&
              model::index_of(event.track) < tables.tracks.size();
  if (event.kind == model::EventKind::kText) good = good && event.payload < tables.texts.size();
  if (!good) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const auto bytes = std::as_bytes(std::span(data, size));
  SegmentReader reader;
  const SegmentReader::Sink sink = [&](std::span<const model::Event> events) {
    for (const model::Event& event : events) check(event, reader.tables());
  };
  (void)reader.read(bytes.first(size / 2), sink).has_value();
  (void)reader.read(bytes, sink).has_value();
  return 0;
}
