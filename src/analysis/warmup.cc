#include "analysis/warmup.h"

#include <algorithm>
#include <cmath>

#include "analysis/summary.h"

namespace latido::analysis {
namespace {

constexpr std::size_t kWindow = 10;
constexpr double kSteady = 0.10;
constexpr double kSlowStep = 2.0;

// The first number of steps after which two neighbouring windows agree; `most` if there is none.
std::size_t until_medians_agree(std::span<const std::int64_t> walls_ns, std::size_t most) {
  for (std::size_t skip = 0; skip < most; ++skip) {
    const std::size_t window = std::min(kWindow, (walls_ns.size() - skip) / 2);
    const double now = median(walls_ns.subspan(skip, window));
    const double next = median(walls_ns.subspan(skip + window, window));
    if (std::abs(now - next) <= kSteady * next) return skip;
  }
  return most;
}

}  // namespace

std::size_t warmup_steps(std::span<const std::int64_t> walls_ns) {
  const std::size_t most = std::min(kMostWarmupSteps, walls_ns.size() / 4);
  if (most == 0) return 0;
  std::size_t skip = until_medians_agree(walls_ns, most);
  const std::size_t rest = std::min(kWarmupLookAhead, walls_ns.size()) - most;
  const double usual = median(walls_ns.subspan(most, rest));
  for (std::size_t i = skip; i < most; ++i) {
    if (static_cast<double>(walls_ns[i]) > kSlowStep * usual) skip = i + 1;
  }
  return skip;
}

}  // namespace latido::analysis
