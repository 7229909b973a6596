#include "telemetry/cgroup_place.h"

#include "telemetry/cgroup_files.h"

namespace latido::telemetry {
namespace {

constexpr std::size_t kMaxDepth = 64;  // a path deeper than this is not searched for limits

// "/a/b" below "/mnt" → /mnt/a/b, /mnt/a, /mnt.
std::vector<std::string> folders_up(const std::string& mount_point, std::string_view below) {
  std::vector<std::string> folders;
  while (!below.empty() && folders.size() < kMaxDepth) {
    folders.push_back(mount_point + std::string(below));
    below = below.substr(0, below.rfind('/'));
  }
  folders.push_back(mount_point);
  return folders;
}

}  // namespace

Result<CgroupPlace> locate_cgroup(const ProcRoot& root, std::string_view controller) {
  FileBuffer buffer;
  const Reading groups = root.read("/proc/self/cgroup", buffer);
  if (!groups.ok()) return errno_error(groups.error_number, "/proc/self/cgroup");
  auto found = find_cgroup_path(groups.text, controller);
  const CgroupVersion version = found ? CgroupVersion::kV1 : CgroupVersion::kV2;
  if (!found) {
    controller = "";
    found = find_cgroup_path(groups.text, controller);
  }
  if (!found) return Error{ErrorCode::kNotFound, "/proc/self/cgroup names no control group"};
  const std::string path{*found};  // the buffer is used again

  const Reading mounts = root.read("/proc/self/mountinfo", buffer);
  if (!mounts.ok()) return errno_error(mounts.error_number, "/proc/self/mountinfo");
  const auto mount = find_cgroup_mount(mounts.text, controller, path);
  if (!mount) return Error{ErrorCode::kNotFound, "the control groups are not mounted"};

  CgroupPlace place{version, folders_up(mount->point, path_below_mount(path, mount->root))};
  // A container can be told the host's path and see only its own part of the tree.
  if (!root.exists(place.folders.front())) place.folders = {mount->point};
  return place;
}

}  // namespace latido::telemetry
