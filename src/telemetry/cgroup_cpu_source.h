// CgroupCpuSource: samples the CPU quota that holds for this process, and what it held back.
//
// Owned by HostSource, used on the sampling thread.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "telemetry/cgroup_limit.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class CgroupCpuSource {
 public:
  explicit CgroupCpuSource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const;

 private:
  void watch(const std::string& folder);
  void sample_stat(FileBuffer& buffer, SampleSink& sink);
  void sample_usage(FileBuffer& buffer, SampleSink& sink);

  ProcRoot root_;
  CgroupLimit limit_;
  std::string own_usage_file_;       // version 1: cpuacct.usage of the own group
  std::string watched_;              // group whose counters are read: the one that sets the quota
  std::optional<SeriesFile> stat_;   // its cpu.stat
  std::optional<SeriesFile> usage_;  // version 1: its cpuacct.usage
  bool throttles_ = false;           // the kernel counts periods for it
  SeriesSlot limit_slot_{"cgroup.cpu.limit_cores"};
  SeriesSlot used_slot_{"cgroup.cpu.used_ns"};
  SeriesSlot periods_slot_{"cgroup.cpu.periods"};
  SeriesSlot throttled_periods_slot_{"cgroup.cpu.throttled_periods"};
  SeriesSlot throttled_slot_{"cgroup.cpu.throttled_ns"};
};

}  // namespace latido::telemetry
