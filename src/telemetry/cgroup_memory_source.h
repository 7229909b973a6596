// CgroupMemorySource: samples the memory limit that holds for this process, and how much is taken.
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

class CgroupMemorySource {
 public:
  explicit CgroupMemorySource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const;

 private:
  void watch(const std::string& folder);

  ProcRoot root_;
  CgroupLimit limit_;
  std::string watched_;              // group whose use is read: the one that sets the limit
  std::optional<SeriesFile> usage_;  // all its memory, page cache included
  std::optional<HeldFile> stat_;     // memory.stat: how much of it is idle page cache
  SeriesSlot limit_slot_{"cgroup.memory.limit_bytes"};
  SeriesSlot used_slot_{"cgroup.memory.used_bytes"};
};

}  // namespace latido::telemetry
