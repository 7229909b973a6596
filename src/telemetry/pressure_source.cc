#include "telemetry/pressure_source.h"

#include "telemetry/pressure.h"
#include "telemetry/text_scan.h"

namespace latido::telemetry {

PressureSource::PressureSource(const ProcRoot& root)
    : resources_{{{SeriesFile{root.path("/proc/pressure/cpu"), {"host.psi.cpu.some_ns"}},
                   "/proc/pressure/cpu", SeriesSlot{"host.psi.cpu.some_ns"}, std::nullopt},
                  {SeriesFile{root.path("/proc/pressure/io"),
                              {"host.psi.io.full_ns", "host.psi.io.some_ns"}},
                   "/proc/pressure/io", SeriesSlot{"host.psi.io.some_ns"},
                   SeriesSlot{"host.psi.io.full_ns"}},
                  {SeriesFile{root.path("/proc/pressure/memory"),
                              {"host.psi.memory.full_ns", "host.psi.memory.some_ns"}},
                   "/proc/pressure/memory", SeriesSlot{"host.psi.memory.some_ns"},
                   SeriesSlot{"host.psi.memory.full_ns"}}}} {}

void PressureSource::sample(FileBuffer& buffer, SampleSink& sink) {
  for (Resource& resource : resources_) sample_one(resource, buffer, sink);
}

void PressureSource::sample_one(Resource& resource, FileBuffer& buffer, SampleSink& sink) {
  const auto text = resource.file.read(buffer);
  if (!text) return;
  const auto pressure = parse_pressure(*text, resource.name);
  if (!pressure.has_value()) return resource.file.reject(pressure.error());
  const auto full_ns = pressure.value().full_ns;
  if (resource.full && !full_ns) {
    return resource.file.reject(missing_field(resource.name, "full"));
  }
  resource.some.put(sink, pressure.value().some_ns);
  if (resource.full) resource.full->put(sink, *full_ns);
}

void PressureSource::append_absent(std::vector<std::string>& out) const {
  for (const Resource& resource : resources_) resource.file.append_absent(out);
}

}  // namespace latido::telemetry
