#include "report/process_text.h"

namespace latido::report {

std::string cpu_time_text(const analysis::ProcessFacts& use, const Catalogue& catalogue) {
  if (use.cpu_ns > 0) return catalogue.number().duration(use.cpu_ns);
  // Time on a CPU is counted in ticks; a process that was never looked at has no memory either.
  if (use.rss_peak_bytes <= 0) return catalogue.say("table.not_measured");
  return "<\u00A010\u00A0ms";
}

std::string memory_text(const analysis::ProcessFacts& use, const Catalogue& catalogue) {
  if (use.rss_peak_bytes <= 0) return catalogue.say("table.not_measured");
  return catalogue.number().bytes(static_cast<double>(use.rss_peak_bytes));
}

}  // namespace latido::report
