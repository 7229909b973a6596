#include "telemetry/host_source.h"

#include <utility>

#include "telemetry/sample_sink.h"

namespace latido::telemetry {

HostSource::HostSource(std::string root)
    : root_(std::move(root)),
      cpu_(root_),
      memory_(root_),
      disks_(root_),
      net_(root_),
      pressure_(root_),
      cgroup_cpu_(root_),
      cgroup_memory_(root_) {}

void HostSource::sample(std::int64_t now_ns, model::SeriesTable& series,
                        std::vector<model::Sample>& out) {
  SampleSink sink{now_ns, series, out};
  cpu_.sample(buffer_, sink);
  memory_.sample(buffer_, sink);
  disks_.sample(buffer_, sink);
  net_.sample(buffer_, sink);
  pressure_.sample(buffer_, sink);
  cgroup_cpu_.sample(buffer_, sink);
  cgroup_memory_.sample(buffer_, sink);
}

std::vector<std::string> HostSource::absent() const {
  std::vector<std::string> lines;
  cpu_.append_absent(lines);
  memory_.append_absent(lines);
  disks_.append_absent(lines);
  net_.append_absent(lines);
  pressure_.append_absent(lines);
  cgroup_cpu_.append_absent(lines);
  cgroup_memory_.append_absent(lines);
  return lines;
}

}  // namespace latido::telemetry
