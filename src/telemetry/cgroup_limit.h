// CgroupLimit: the tightest limit among the control group of this process and the groups around it.
//
// A quota on a job holds for every step and task inside it, so all levels are read, not the own one
// alone. Used on the sampling thread, and once by read_environment().
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "telemetry/cgroup_place.h"
#include "telemetry/proc_root.h"

namespace latido::telemetry {

class CgroupLimit {
 public:
  enum class Resource : std::uint8_t { kCpuCores, kMemoryBytes };

  CgroupLimit(const ProcRoot& root, Resource resource);

  // Reads every level. Levels without the file or with one that makes no sense set no limit.
  void refresh(FileBuffer& buffer);
  // The same, unless that was done less than 10 s ago: limits change by hand or not at all.
  void refresh_if_due(std::int64_t now_ns, FileBuffer& buffer);

  std::optional<double> value() const noexcept { return value_; }  // empty: no limit
  // The group that sets the limit, else the own one; "" when there is no group at all.
  const std::string& folder() const noexcept { return folder_; }
  CgroupVersion version() const noexcept { return version_; }
  // Why there is no group; "" when there is one.
  const std::string& missing() const noexcept { return missing_; }

 private:
  struct Level {
    std::string folder;  // below the root of the system
    HeldFile limit;
    HeldFile period;  // of a version 1 CPU quota, else never read
  };
  std::optional<double> read_level(Level& level, FileBuffer& buffer) const;

  Resource resource_;
  CgroupVersion version_ = CgroupVersion::kV2;
  std::vector<Level> levels_;  // own group first
  std::string missing_;
  std::string folder_;
  std::optional<double> value_;
  std::optional<std::int64_t> refreshed_ns_;
};

}  // namespace latido::telemetry
