// CpuSource: samples where the CPU time of the machine and of each core goes.
//
// Owned by HostSource, used on the sampling thread.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "telemetry/cpu_stat.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class CpuSource {
 public:
  explicit CpuSource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const { file_.append_absent(out); }

 private:
  void sample_core(const CoreTicks& core, SampleSink& sink);

  SeriesFile file_;
  std::vector<CoreTicks> cores_;                       // kept for its memory
  std::vector<std::optional<SeriesSlot>> core_slots_;  // by core number
  std::uint64_t idle_ticks_ = 0;                       // the most seen
  std::uint64_t iowait_ticks_ = 0;
  SeriesSlot user_slot_{"host.cpu.user_ns"};
  SeriesSlot system_slot_{"host.cpu.system_ns"};
  SeriesSlot idle_slot_{"host.cpu.idle_ns"};
  SeriesSlot iowait_slot_{"host.cpu.iowait_ns"};
  SeriesSlot steal_slot_{"host.cpu.steal_ns"};
};

}  // namespace latido::telemetry
