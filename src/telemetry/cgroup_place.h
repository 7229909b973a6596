// Finds the folders of the control group that this process is in. Reads /proc/self once, at start.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "telemetry/proc_root.h"

namespace latido::telemetry {

enum class CgroupVersion : std::uint8_t { kV1, kV2 };

struct CgroupPlace {
  CgroupVersion version = CgroupVersion::kV2;
  // The process's own group first, then each group around it up to the mount point: a limit of any of
  // them holds. Absolute for ProcRoot::path; never empty.
  std::vector<std::string> folders;
};

// `controller` is "cpu", "cpuacct" or "memory". The version is the one whose hierarchy has it, since
// both can be mounted at once. Errors: kNotFound and kUnavailable, where there are no control groups.
Result<CgroupPlace> locate_cgroup(const ProcRoot& root, std::string_view controller);

}  // namespace latido::telemetry
