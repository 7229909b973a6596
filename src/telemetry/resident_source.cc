#include "telemetry/resident_source.h"

#include <unistd.h>

#include <algorithm>

#include "telemetry/text_scan.h"

namespace latido::telemetry {
namespace {

double page_bytes() noexcept {
  static const auto bytes = static_cast<double>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

}  // namespace

void ResidentSource::sample(std::span<const std::pair<pid_t, model::ProcessId>> processes,
                            std::int64_t now_ns, model::SeriesTable& series,
                            std::vector<model::Sample>& out) {
  // A pid that is another process now is another entry.
  std::erase_if(entries_, [&processes](const auto& entry) {
    return std::ranges::find(processes, std::pair(entry.first, entry.second.process)) ==
           processes.end();
  });
  SampleSink sink{.now_ns = now_ns, .series = series, .out = out};
  const std::size_t count = std::min(processes.size(), kMostAtATime);
  for (std::size_t i = 0; i < count; ++i, ++next_) {
    const auto& [pid, process] = processes[next_ % processes.size()];
    const auto it =
        entries_.try_emplace(pid, root_.path("/proc/" + std::to_string(pid) + "/statm"), process)
            .first;
    const Reading reading = it->second.file.read(buffer_);
    if (!reading.ok()) continue;
    std::string_view text = reading.text;
    next_word(text);  // the size of the address space
    const auto pages = parse_unsigned(next_word(text));
    // Of what has ended, 0.
    if (pages && *pages > 0) {
      it->second.slot.put(sink, static_cast<double>(*pages) * page_bytes());
    }
  }
}

}  // namespace latido::telemetry
