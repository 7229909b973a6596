#include "telemetry/cgroup_memory_source.h"

#include <string_view>

#include "telemetry/cgroup_files.h"
#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kLimit = "cgroup.memory.limit_bytes";
constexpr std::string_view kUsed = "cgroup.memory.used_bytes";

}  // namespace

CgroupMemorySource::CgroupMemorySource(const ProcRoot& root)
    : root_(root), limit_(root, CgroupLimit::Resource::kMemoryBytes) {}

void CgroupMemorySource::watch(const std::string& folder) {
  watched_ = folder;
  const std::string usage =
      limit_.version() == CgroupVersion::kV2 ? "/memory.current" : "/memory.usage_in_bytes";
  usage_ = SeriesFile{root_.path(folder + usage), {kUsed}};
  stat_ = HeldFile{root_.path(folder + "/memory.stat")};
}

void CgroupMemorySource::sample(FileBuffer& buffer, SampleSink& sink) {
  if (!limit_.missing().empty()) return;
  limit_.refresh_if_due(sink.now_ns, buffer);
  if (!usage_ || watched_ != limit_.folder()) watch(limit_.folder());
  if (limit_.value()) limit_slot_.put(sink, *limit_.value());

  const auto text = usage_->read(buffer);
  if (!text) return;
  const auto bytes = parse_unsigned(trimmed(*text));
  if (!bytes) return usage_->reject(bad_field("cgroup", "memory use", trimmed(*text)));
  const Reading stat = stat_->read(buffer);
  // Read a moment later, so it can be the larger of the two.
  const std::uint64_t idle = stat.ok() ? find_inactive_file_bytes(stat.text) : 0;
  used_slot_.put(sink, *bytes > idle ? *bytes - idle : 0);
}

void CgroupMemorySource::append_absent(std::vector<std::string>& out) const {
  const auto add = [&out](std::string_view metric, std::string_view why) {
    out.push_back(std::string(metric).append(": ").append(why));
  };
  if (!limit_.missing().empty()) {
    for (const std::string_view metric : {kLimit, kUsed}) add(metric, limit_.missing());
    return;
  }
  if (!limit_.value()) add(kLimit, "no group has a memory limit");
  if (usage_) usage_->append_absent(out);
}

}  // namespace latido::telemetry
