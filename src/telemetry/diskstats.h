// Parses /proc/diskstats, and tells disks from what lies on top of them. Pure: no file access here.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace latido::telemetry {

// Cumulative since boot.
struct DiskCounters {
  std::string_view name;  // points into the parsed text
  std::uint64_t read_bytes = 0;
  std::uint64_t write_bytes = 0;
  std::uint64_t busy_ns = 0;  // at least one request in flight

  bool operator==(const DiskCounters&) const = default;
};

// `disks` is cleared and filled in file order, partitions and virtual devices included.
// Errors: kInvalidInput naming the bad field.
Status parse_diskstats(std::string_view text, std::vector<DiskCounters>& disks);

// Devices whose traffic is memory's or another disk's, by the kernel's fixed names: loop0, ram1,
// zram0, dm-0, md127.
bool is_virtual_disk(std::string_view name) noexcept;

// A guess from the name alone, for systems without /sys: sda1, nvme0n1p2, mmcblk0p1.
bool looks_like_partition(std::string_view name) noexcept;

}  // namespace latido::telemetry
