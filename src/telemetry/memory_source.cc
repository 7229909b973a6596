#include "telemetry/memory_source.h"

#include <unistd.h>

#include "telemetry/meminfo.h"
#include "telemetry/vmstat.h"

namespace latido::telemetry {
namespace {

double page_bytes() noexcept {
  static const auto bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

MemorySource::MemorySource(const ProcRoot& root)
    : meminfo_(root.path("/proc/meminfo"),
               {"host.memory.available_bytes", "host.memory.total_bytes", "host.swap.used_bytes"}),
      vmstat_(root.path("/proc/vmstat"), {"host.swap.in_bytes", "host.swap.out_bytes"}) {}

void MemorySource::sample(FileBuffer& buffer, SampleSink& sink) {
  sample_meminfo(buffer, sink);
  sample_vmstat(buffer, sink);
}

void MemorySource::sample_meminfo(FileBuffer& buffer, SampleSink& sink) {
  lacks_available_ = lacks_swap_used_ = false;
  const auto text = meminfo_.read(buffer);
  if (!text) return;
  const auto info = parse_meminfo(*text);
  if (!info.has_value()) return meminfo_.reject(info.error());
  const Meminfo& memory = info.value();
  total_slot_.put(sink, memory.total_bytes);
  lacks_available_ = !memory.available_bytes;
  if (memory.available_bytes) available_slot_.put(sink, *memory.available_bytes);
  lacks_swap_used_ = !memory.swap_used_bytes;
  if (memory.swap_used_bytes) swap_used_slot_.put(sink, *memory.swap_used_bytes);
}

void MemorySource::sample_vmstat(FileBuffer& buffer, SampleSink& sink) {
  lacks_swap_traffic_ = false;
  const auto text = vmstat_.read(buffer);
  if (!text) return;
  const auto pages = parse_vmstat(*text);
  if (!pages.has_value()) return vmstat_.reject(pages.error());
  lacks_swap_traffic_ = !pages.value().in || !pages.value().out;
  if (lacks_swap_traffic_) return;
  swap_in_slot_.put(sink, static_cast<double>(*pages.value().in) * page_bytes());
  swap_out_slot_.put(sink, static_cast<double>(*pages.value().out) * page_bytes());
}

void MemorySource::append_absent(std::vector<std::string>& out) const {
  meminfo_.append_absent(out);
  vmstat_.append_absent(out);
  if (lacks_available_) {
    out.emplace_back("host.memory.available_bytes: the kernel does not estimate it");
  }
  if (lacks_swap_used_) out.emplace_back("host.swap.used_bytes: the kernel has no swap");
  if (!lacks_swap_traffic_) return;
  out.emplace_back("host.swap.in_bytes: the kernel has no swap");
  out.emplace_back("host.swap.out_bytes: the kernel has no swap");
}

}  // namespace latido::telemetry
