#include "telemetry/net_source.h"

namespace latido::telemetry {

NetSource::NetSource(const ProcRoot& root)
    : root_(root),
      file_(root.path("/proc/net/dev"), {"host.net.received_bytes", "host.net.sent_bytes"}) {}

void NetSource::sample(FileBuffer& buffer, SampleSink& sink) {
  found_none_ = false;
  const auto text = file_.read(buffer);
  if (!text) return;
  const auto status = parse_netdev(*text, interfaces_);
  if (!status.has_value()) return file_.reject(status.error());
  for (const InterfaceCounters& counters : interfaces_) {
    if (slots_of(counters.name).is_hardware) has_hardware_ = true;
  }
  found_none_ = true;
  for (const InterfaceCounters& counters : interfaces_) {
    if (counters.name == "lo") continue;
    Slots& slots = slots_of(counters.name);
    if (has_hardware_ && !slots.is_hardware) continue;
    found_none_ = false;
    slots.received.put(sink, counters.received_bytes);
    slots.sent.put(sink, counters.sent_bytes);
  }
}

NetSource::Slots& NetSource::slots_of(std::string_view name) {
  const auto found = slots_.find(name);
  if (found != slots_.end()) return found->second;
  const std::string label{name};
  return slots_
      .emplace(label, Slots{root_.exists("/sys/class/net/" + label + "/device"),
                            SeriesSlot{"host.net.received_bytes", model::kHost, label},
                            SeriesSlot{"host.net.sent_bytes", model::kHost, label}})
      .first->second;
}

void NetSource::append_absent(std::vector<std::string>& out) const {
  file_.append_absent(out);
  if (!found_none_) return;
  out.emplace_back("host.net.received_bytes: no network interface besides lo");
  out.emplace_back("host.net.sent_bytes: no network interface besides lo");
}

}  // namespace latido::telemetry
