// MemorySource: samples the machine's memory and swap.
//
// Owned by HostSource, used on the sampling thread.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class MemorySource {
 public:
  explicit MemorySource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const;

 private:
  void sample_meminfo(FileBuffer& buffer, SampleSink& sink);
  void sample_vmstat(FileBuffer& buffer, SampleSink& sink);

  SeriesFile meminfo_;
  SeriesFile vmstat_;
  bool lacks_available_ = false;  // the file was read and the kernel does not tell
  bool lacks_swap_used_ = false;
  bool lacks_swap_traffic_ = false;
  SeriesSlot total_slot_{"host.memory.total_bytes"};
  SeriesSlot available_slot_{"host.memory.available_bytes"};
  SeriesSlot swap_used_slot_{"host.swap.used_bytes"};
  SeriesSlot swap_in_slot_{"host.swap.in_bytes"};
  SeriesSlot swap_out_slot_{"host.swap.out_bytes"};
};

}  // namespace latido::telemetry
