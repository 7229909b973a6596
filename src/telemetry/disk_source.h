// DiskSource: samples the traffic of whole disks. What lies on them (partitions, RAID, volumes) is left
// out, since its bytes are already in the disk's.
//
// Owned by HostSource, used on the sampling thread.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/diskstats.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class DiskSource {
 public:
  explicit DiskSource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const;

 private:
  struct Slots {
    SeriesSlot read;
    SeriesSlot write;
    SeriesSlot busy;
  };
  // Empty: not a whole disk. Decided when a name is first seen.
  std::optional<Slots>& slots_of(std::string_view name);
  bool is_whole_disk(std::string_view name) const;

  ProcRoot root_;
  SeriesFile file_;
  bool found_none_ = false;
  std::vector<DiskCounters> disks_;  // kept for its memory
  std::map<std::string, std::optional<Slots>, std::less<>> slots_;
};

}  // namespace latido::telemetry
