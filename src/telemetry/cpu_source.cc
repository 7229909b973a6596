#include "telemetry/cpu_source.h"

#include <algorithm>

#include "telemetry/clock_ticks.h"

namespace latido::telemetry {
namespace {

double to_ns(std::uint64_t ticks) noexcept {
  return static_cast<double>(ticks) * static_cast<double>(ns_per_tick());
}

}  // namespace

CpuSource::CpuSource(const ProcRoot& root)
    : file_(root.path("/proc/stat"),
            {"host.core.busy_ns", "host.cpu.idle_ns", "host.cpu.iowait_ns", "host.cpu.steal_ns",
             "host.cpu.system_ns", "host.cpu.user_ns"}) {}

void CpuSource::sample(FileBuffer& buffer, SampleSink& sink) {
  const auto text = file_.read(buffer);
  if (!text) return;
  const auto sum = parse_cpu_stat(*text, cores_);
  if (!sum.has_value()) return file_.reject(sum.error());
  const CpuTicks& ticks = sum.value();
  user_slot_.put(sink, to_ns(ticks.user_code()));
  system_slot_.put(sink, to_ns(ticks.kernel_code()));
  // The kernel moves idle time between these two when a core wakes, so that either may fall a little;
  // a counter must not.
  idle_ticks_ = std::max(idle_ticks_, ticks.idle);
  iowait_ticks_ = std::max(iowait_ticks_, ticks.iowait);
  idle_slot_.put(sink, to_ns(idle_ticks_));
  iowait_slot_.put(sink, to_ns(iowait_ticks_));
  steal_slot_.put(sink, to_ns(ticks.steal));
  for (const CoreTicks& core : cores_) sample_core(core, sink);
}

void CpuSource::sample_core(const CoreTicks& core, SampleSink& sink) {
  if (core.core >= core_slots_.size()) core_slots_.resize(core.core + 1);
  auto& slot = core_slots_[core.core];
  if (!slot) slot.emplace("host.core.busy_ns", model::kHost, std::to_string(core.core));
  slot->put(sink, to_ns(core.ticks.user_code() + core.ticks.kernel_code()));
}

}  // namespace latido::telemetry
