#include "telemetry/disk_source.h"

#include <algorithm>

namespace latido::telemetry {

DiskSource::DiskSource(const ProcRoot& root)
    : root_(root),
      file_(root.path("/proc/diskstats"),
            {"host.disk.busy_ns", "host.disk.read_bytes", "host.disk.write_bytes"}) {}

void DiskSource::sample(FileBuffer& buffer, SampleSink& sink) {
  found_none_ = false;
  const auto text = file_.read(buffer);
  if (!text) return;
  const auto status = parse_diskstats(*text, disks_);
  if (!status.has_value()) return file_.reject(status.error());
  found_none_ = true;
  for (const DiskCounters& disk : disks_) {
    auto& slots = slots_of(disk.name);
    if (!slots) continue;
    found_none_ = false;
    slots->read.put(sink, disk.read_bytes);
    slots->write.put(sink, disk.write_bytes);
    slots->busy.put(sink, disk.busy_ns);
  }
}

std::optional<DiskSource::Slots>& DiskSource::slots_of(std::string_view name) {
  const auto found = slots_.find(name);
  if (found != slots_.end()) return found->second;
  std::optional<Slots> slots;
  if (is_whole_disk(name)) {
    const std::string label{name};
    slots = Slots{SeriesSlot{"host.disk.read_bytes", model::kHost, label},
                  SeriesSlot{"host.disk.write_bytes", model::kHost, label},
                  SeriesSlot{"host.disk.busy_ns", model::kHost, label}};
  }
  return slots_.emplace(name, std::move(slots)).first->second;
}

bool DiskSource::is_whole_disk(std::string_view name) const {
  if (is_virtual_disk(name)) return false;
  if (!root_.exists("/sys/block")) return !looks_like_partition(name);
  std::string folder{name};
  std::ranges::replace(folder, '/', '!');  // as /sys spells "cciss/c0d0"
  folder.insert(0, "/sys/block/");
  // What is made of other disks has them in slaves/.
  return root_.exists(folder) && !root_.has_entries(folder + "/slaves");
}

void DiskSource::append_absent(std::vector<std::string>& out) const {
  file_.append_absent(out);
  if (!found_none_) return;
  for (const char* const metric :
       {"host.disk.busy_ns", "host.disk.read_bytes", "host.disk.write_bytes"}) {
    out.push_back(std::string(metric) + ": no disk is visible");
  }
}

}  // namespace latido::telemetry
