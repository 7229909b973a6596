// NetSource: samples the traffic of network interfaces, each byte once.
//
// Bridges, bonds, tunnels and the host's ends of container links carry what a hardware interface
// carries too; so where there are hardware interfaces only those count. A container has none and counts
// all but "lo". Owned by HostSource, used on the sampling thread.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/netdev.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class NetSource {
 public:
  explicit NetSource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const;

 private:
  struct Slots {
    bool is_hardware = false;
    SeriesSlot received;
    SeriesSlot sent;
  };
  Slots& slots_of(std::string_view name);

  ProcRoot root_;
  SeriesFile file_;
  bool has_hardware_ = false;  // once seen, virtual interfaces stay out
  bool found_none_ = false;
  std::vector<InterfaceCounters> interfaces_;  // kept for its memory
  std::map<std::string, Slots, std::less<>> slots_;
};

}  // namespace latido::telemetry
