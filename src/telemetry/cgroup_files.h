// Parses the control-group files of both versions. Pure: no file access here.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"

namespace latido::telemetry {

// Path of a process's group from /proc/<pid>/cgroup. `controller` is "cpu", "cpuacct", "memory" for
// a version 1 hierarchy and "" for version 2. Empty when the process is in none.
std::optional<std::string_view> find_cgroup_path(std::string_view text,
                                                 std::string_view controller) noexcept;

// Where a hierarchy is mounted.
struct CgroupMount {
  std::string root;   // path of the group that the mount shows
  std::string point;  // folder, as the process that read mountinfo sees it

  bool operator==(const CgroupMount&) const = default;
};

// Looks in /proc/<pid>/mountinfo for the mount that shows `path`; when none does, the first one of
// that hierarchy. `controller` as above.
std::optional<CgroupMount> find_cgroup_mount(std::string_view mountinfo,
                                             std::string_view controller, std::string_view path);

// Folder of group `path` below the mount point: "/docker/ab" with a mount root of "/docker" is
// "/ab".
// "" for the mount point itself, also when `path` lies outside of what the mount shows.
std::string_view path_below_mount(std::string_view path, std::string_view mount_root) noexcept;

// cpu.max of version 2: "200000 100000" is 2 cores, "max 100000" is no quota (empty).
Result<std::optional<double>> parse_cpu_max(std::string_view text);
// cpu.cfs_quota_us and cpu.cfs_period_us of version 1; a quota of -1 is none (empty).
Result<std::optional<double>> parse_cpu_quota(std::string_view quota, std::string_view period);

// cpu.stat, cumulative. Fields that the version or the group does not have stay empty.
struct CgroupCpu {
  std::optional<std::uint64_t> used_ns;  // version 2 only; version 1 has it in cpuacct.usage
  std::optional<std::uint64_t> periods;
  std::optional<std::uint64_t> throttled_periods;
  std::optional<std::uint64_t> throttled_ns;

  bool operator==(const CgroupCpu&) const = default;
};
Result<CgroupCpu> parse_cgroup_cpu_stat(std::string_view text);

// memory.max or memory.limit_in_bytes: empty for "max" and for version 1's largest number.
Result<std::optional<std::uint64_t>> parse_memory_limit(std::string_view text);

// Idle page cache of a group and the groups in it, from memory.stat; 0 when not told.
std::uint64_t find_inactive_file_bytes(std::string_view memory_stat) noexcept;

}  // namespace latido::telemetry
