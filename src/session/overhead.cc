#include "session/overhead.h"

#include <algorithm>
#include <ctime>

#include "base/clock.h"

namespace latido::session {
namespace {

// A hook of the Python side makes about four records (begin, an argument, a value, end) in 1.2 us of
// wrapper frames and calls: docs/benchmarks.md, "Cost of a step". Zones of C++ are far cheaper, so this
// errs on the high side.
constexpr double kRecordCost_ns = 300;

}  // namespace

double estimate_overhead_ratio(const RecordingCost& cost) noexcept {
  if (cost.wall_ns <= 0) return 0;
  // The agent competes with the program for the machine's cores; when all are busy its share is lost.
  const double agent_ns =
      static_cast<double>(cost.agent_cpu_ns) / static_cast<double>(std::max(cost.cores, 1U));
  const double records_ns = static_cast<double>(cost.records) * kRecordCost_ns;
  return std::min(1.0, (agent_ns + records_ns) / static_cast<double>(cost.wall_ns));
}

std::int64_t process_cpu_ns() noexcept { return detail::read_clock_ns(CLOCK_PROCESS_CPUTIME_ID); }

}  // namespace latido::session
