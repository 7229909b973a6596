#include "formats/perfetto/series_packets.h"

#include <bit>
#include <cmath>
#include <protozero/pbf_writer.hpp>
#include <utility>

#include "formats/perfetto/event_code.h"
#include "formats/perfetto/event_packet.h"
#include "formats/perfetto/fields.h"
#include "formats/perfetto/table_packets.h"

namespace latido::formats::perfetto {
namespace {

constexpr std::size_t kBlockBytes = 256U << 10U;  // Perfetto allows 512 KB

// Multiples of 4, which processes, tracks and counters leave free; 0 is the whole trace.
std::uint64_t series_uuid(std::uint64_t number) noexcept { return 4 * (number + 1); }

}  // namespace

SeriesPackets::SeriesPackets() : deflater_(1) {}

void SeriesPackets::append_process(model::ProcessId id, const model::Process& process) {
  perfetto::append_process(raw_, id, process);
}

void SeriesPackets::append(const model::Series& series, std::span<const model::Sample> samples) {
  if (samples.empty()) return;
  const std::uint64_t uuid = series_uuid(series_++);
  append_counter(raw_, uuid, series.process,
                 series.label.empty() ? series.metric : series.metric + " " + series.label);
  for (const model::Sample& sample : samples) {
    if (!std::isfinite(sample.value)) continue;
    EventPacket event;
    event.sequence = kTableSequence;
    event.type = EventType::kCounter;
    event.time = {.value = static_cast<std::uint64_t>(sample.ts_ns), .absolute = true};
    event.counter =
        CounterValue{.track_uuid = uuid, .bits = std::bit_cast<std::uint64_t>(sample.value)};
    append_event(raw_, event);
    if (raw_.size() >= kBlockBytes) seal();
  }
}

std::string SeriesPackets::take() {
  if (!raw_.empty()) seal();
  return std::exchange(out_, std::string());
}

void SeriesPackets::seal() {
  const auto body = deflater_.compress(raw_);
  protozero::pbf_writer trace(out_);
  protozero::pbf_writer packet(trace, kTracePacket);
  packet.add_bytes(PacketField::kCompressedPackets, reinterpret_cast<const char*>(body.data()),
                   body.size());
  raw_.clear();
}

}  // namespace latido::formats::perfetto
