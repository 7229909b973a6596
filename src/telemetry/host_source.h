// HostSource: samples the machine and the control group that this process is in.
//
// Used by the agent's sampling thread, alone. Counters stay cumulative: the reader makes rates. What a
// kernel or container does not show gives no samples and a line in absent(), never a zero.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/sample.h"
#include "telemetry/cgroup_cpu_source.h"
#include "telemetry/cgroup_memory_source.h"
#include "telemetry/cpu_source.h"
#include "telemetry/disk_source.h"
#include "telemetry/memory_source.h"
#include "telemetry/net_source.h"
#include "telemetry/pressure_source.h"
#include "telemetry/proc_root.h"

namespace latido::telemetry {

class HostSource {
 public:
  // `root` is the folder with proc/ and sys/ in it; another one than "/" is a recorded tree.
  explicit HostSource(std::string root = "/");

  // Appends one sample for each series that can be read now. `now_ns`: CLOCK_MONOTONIC. `series` must
  // be the same table on every call. Reads about ten files; does not block on any device.
  void sample(std::int64_t now_ns, model::SeriesTable& series, std::vector<model::Sample>& out);

  // As of the last sample(): one line "<metric>: <reason>" for each series that is absent.
  std::vector<std::string> absent() const;

 private:
  ProcRoot root_;
  FileBuffer buffer_;
  CpuSource cpu_;
  MemorySource memory_;
  DiskSource disks_;
  NetSource net_;
  PressureSource pressure_;
  CgroupCpuSource cgroup_cpu_;
  CgroupMemorySource cgroup_memory_;
};

}  // namespace latido::telemetry
