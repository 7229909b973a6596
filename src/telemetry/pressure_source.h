// PressureSource: samples how long the machine's tasks were held up for CPU, memory and disks (PSI).
//
// Owned by HostSource, used on the sampling thread.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"
#include "telemetry/series_file.h"

namespace latido::telemetry {

class PressureSource {
 public:
  explicit PressureSource(const ProcRoot& root);

  void sample(FileBuffer& buffer, SampleSink& sink);
  void append_absent(std::vector<std::string>& out) const;

 private:
  struct Resource {
    SeriesFile file;
    std::string_view name;
    SeriesSlot some;
    std::optional<SeriesSlot> full;  // the machine as a whole is never out of every core
  };
  static void sample_one(Resource& resource, FileBuffer& buffer, SampleSink& sink);

  std::array<Resource, 3> resources_;
};

}  // namespace latido::telemetry
