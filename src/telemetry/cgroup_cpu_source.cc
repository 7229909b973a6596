#include "telemetry/cgroup_cpu_source.h"

#include <array>
#include <string_view>

#include "telemetry/cgroup_files.h"
#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

constexpr std::string_view kLimit = "cgroup.cpu.limit_cores";
constexpr std::string_view kUsed = "cgroup.cpu.used_ns";
constexpr std::array<std::string_view, 3> kThrottling{
    "cgroup.cpu.periods", "cgroup.cpu.throttled_ns", "cgroup.cpu.throttled_periods"};

}  // namespace

CgroupCpuSource::CgroupCpuSource(const ProcRoot& root)
    : root_(root), limit_(root, CgroupLimit::Resource::kCpuCores) {
  if (limit_.version() != CgroupVersion::kV1) return;
  auto place = locate_cgroup(root, "cpuacct");
  if (place) own_usage_file_ = place.value().folders.front() + "/cpuacct.usage";
}

void CgroupCpuSource::watch(const std::string& folder) {
  watched_ = folder;
  const std::string stat = root_.path(folder + "/cpu.stat");
  if (limit_.version() == CgroupVersion::kV2) {
    stat_ = SeriesFile{stat, {kUsed, kThrottling[0], kThrottling[1], kThrottling[2]}};
    return;
  }
  stat_ = SeriesFile{stat, {kThrottling[0], kThrottling[1], kThrottling[2]}};
  // cpuacct is usually mounted together with cpu; where it is not, the own group has to do.
  const std::string beside = folder + "/cpuacct.usage";
  usage_ = SeriesFile{root_.path(root_.exists(beside) ? beside : own_usage_file_), {kUsed}};
}

void CgroupCpuSource::sample(FileBuffer& buffer, SampleSink& sink) {
  if (!limit_.missing().empty()) return;
  limit_.refresh_if_due(sink.now_ns, buffer);
  if (!stat_ || watched_ != limit_.folder()) watch(limit_.folder());
  if (limit_.value()) limit_slot_.put(sink, *limit_.value());
  sample_stat(buffer, sink);
  if (usage_) sample_usage(buffer, sink);
}

void CgroupCpuSource::sample_stat(FileBuffer& buffer, SampleSink& sink) {
  throttles_ = false;
  const auto text = stat_->read(buffer);
  if (!text) return;
  const auto cpu = parse_cgroup_cpu_stat(*text);
  if (!cpu.has_value()) return stat_->reject(cpu.error());
  const CgroupCpu& counters = cpu.value();
  if (counters.used_ns) used_slot_.put(sink, *counters.used_ns);
  // Without a quota the kernel shows zeros or nothing: both mean that nothing can be held back.
  if (!limit_.value() || !counters.periods || !counters.throttled_periods ||
      !counters.throttled_ns) {
    return;
  }
  throttles_ = true;
  periods_slot_.put(sink, *counters.periods);
  throttled_periods_slot_.put(sink, *counters.throttled_periods);
  throttled_slot_.put(sink, *counters.throttled_ns);
}

void CgroupCpuSource::sample_usage(FileBuffer& buffer, SampleSink& sink) {
  const auto text = usage_->read(buffer);
  if (!text) return;
  const auto used_ns = parse_unsigned(trimmed(*text));
  if (!used_ns) return usage_->reject(bad_field("cgroup", "cpuacct.usage", trimmed(*text)));
  used_slot_.put(sink, *used_ns);
}

void CgroupCpuSource::append_absent(std::vector<std::string>& out) const {
  const auto add = [&out](std::string_view metric, std::string_view why) {
    out.push_back(std::string(metric).append(": ").append(why));
  };
  if (!limit_.missing().empty()) {
    for (const std::string_view metric : {kLimit, kUsed}) add(metric, limit_.missing());
    for (const std::string_view metric : kThrottling) add(metric, limit_.missing());
    return;
  }
  if (!limit_.value()) add(kLimit, "no group has a CPU quota");
  const std::size_t before = out.size();
  if (stat_) stat_->append_absent(out);
  if (usage_) usage_->append_absent(out);
  if (throttles_ || out.size() != before) return;
  for (const std::string_view metric : kThrottling) {
    add(metric, limit_.value() ? "the kernel does not count it" : "no group has a CPU quota");
  }
}

}  // namespace latido::telemetry
