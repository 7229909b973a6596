#include "telemetry/cgroup_limit.h"

#include "telemetry/cgroup_files.h"

namespace latido::telemetry {
namespace {

constexpr std::int64_t kRefreshNs = 10'000'000'000;

std::string limit_file(CgroupLimit::Resource resource, CgroupVersion version) {
  if (resource == CgroupLimit::Resource::kCpuCores) {
    return version == CgroupVersion::kV2 ? "/cpu.max" : "/cpu.cfs_quota_us";
  }
  return version == CgroupVersion::kV2 ? "/memory.max" : "/memory.limit_in_bytes";
}

std::optional<double> value_of(const Result<std::optional<double>>& parsed) {
  return parsed.has_value() ? parsed.value() : std::nullopt;
}

}  // namespace

CgroupLimit::CgroupLimit(const ProcRoot& root, Resource resource) : resource_(resource) {
  auto place = locate_cgroup(root, resource == Resource::kCpuCores ? "cpu" : "memory");
  if (!place) {
    missing_ = place.error().message;
    return;
  }
  version_ = place.value().version;
  for (const std::string& folder : place.value().folders) {
    levels_.push_back({folder, HeldFile{root.path(folder + limit_file(resource_, version_))},
                       HeldFile{root.path(folder + "/cpu.cfs_period_us")}});
  }
  folder_ = levels_.front().folder;
}

std::optional<double> CgroupLimit::read_level(Level& level, FileBuffer& buffer) const {
  const Reading limit = level.limit.read(buffer);
  if (!limit.ok()) return std::nullopt;
  if (resource_ == Resource::kMemoryBytes) {
    const auto bytes = parse_memory_limit(limit.text);
    if (!bytes.has_value() || !bytes.value()) return std::nullopt;
    return static_cast<double>(*bytes.value());
  }
  if (version_ == CgroupVersion::kV2) return value_of(parse_cpu_max(limit.text));
  const std::string quota{limit.text};  // short, and the buffer is used again
  const Reading period = level.period.read(buffer);
  if (!period.ok()) return std::nullopt;
  return value_of(parse_cpu_quota(quota, period.text));
}

void CgroupLimit::refresh(FileBuffer& buffer) {
  value_.reset();
  const Level* tightest = levels_.empty() ? nullptr : &levels_.front();
  for (Level& level : levels_) {
    const auto value = read_level(level, buffer);
    if (!value || (value_ && *value >= *value_)) continue;
    value_ = value;
    tightest = &level;
  }
  if (tightest != nullptr && folder_ != tightest->folder) folder_ = tightest->folder;
}

void CgroupLimit::refresh_if_due(std::int64_t now_ns, FileBuffer& buffer) {
  if (refreshed_ns_ && now_ns - *refreshed_ns_ < kRefreshNs) return;
  refreshed_ns_ = now_ns;
  refresh(buffer);
}

}  // namespace latido::telemetry
