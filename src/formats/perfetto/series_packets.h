// SeriesPackets: series of the machine and of processes as counters of a Perfetto trace.
//
// For the export of a run: its segments hold what programs recorded, series are kept elsewhere. What take()
// returns is appended to the segments, and is nothing that SegmentReader reads. On one thread; no I/O.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "formats/perfetto/deflate.h"
#include "model/sample.h"
#include "model/timeline.h"

namespace latido::formats::perfetto {

class SeriesPackets {
 public:
  SeriesPackets();

  // Also one that recorded nothing itself is shown, as series may be about it.
  void append_process(model::ProcessId id, const model::Process& process);
  // Points of one series; values that are not finite are left out.
  void append(const model::Series& series, std::span<const model::Sample> samples);

  // What was written since the last call, compressed.
  std::string take();

 private:
  void seal();

  Deflater deflater_;
  std::string raw_;
  std::string out_;
  std::uint64_t series_ = 0;
};

}  // namespace latido::formats::perfetto
