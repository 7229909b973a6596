// ResidentSource: the resident memory of a few processes, many times a second, so that it can be told
// which phase of a step takes how much. Used by the agent's thread, alone.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/sample.h"
#include "telemetry/proc_root.h"
#include "telemetry/sample_sink.h"

namespace latido::telemetry {

class ResidentSource {
 public:
  // A read takes about 2 us: of more processes each is looked at less often.
  static constexpr std::size_t kMostAtATime = 16;

  explicit ResidentSource(std::string root = "/") : root_(std::move(root)) {}

  // Appends one sample for up to kMostAtATime of `processes`, going on where the last call stopped. Those
  // that cannot be read are left out. `series` must be the same table on every call.
  void sample(std::span<const std::pair<pid_t, model::ProcessId>> processes, std::int64_t now_ns,
              model::SeriesTable& series, std::vector<model::Sample>& out);

 private:
  struct Entry {
    Entry(std::string path, model::ProcessId of)
        : file(std::move(path)), process(of), slot("proc.memory.step_rss_bytes", of) {}
    HeldFile file;
    model::ProcessId process;
    SeriesSlot slot;
  };

  ProcRoot root_;
  FileBuffer buffer_;
  std::map<pid_t, Entry> entries_;
  std::size_t next_ = 0;
};

}  // namespace latido::telemetry
