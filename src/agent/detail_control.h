// DetailControl: decides each second how much detail the run's processes record, within the overhead
// budget or by turns that measure what it costs. Owned by Agent, which tells the processes.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "agent/on_off_blocks.h"
#include "agent/overhead_budget.h"
#include "model/run.h"

namespace latido::agent {

struct DetailWish {
  double budget_ratio = 0.01;  // of the wall time, above 0; infinity: whatever it costs
  bool measure = false;        // by turns; the budget is then not kept
  std::uint32_t cores = 1;     // usable by the run
  std::uint64_t seed = 1;      // of the turns
};

class DetailControl {
 public:
  explicit DetailControl(const DetailWish& wish);

  // `dearest_ns`: what recording cost the process that paid most, since the last call.
  // `agent_cpu_ns`: of this process, so far. Returns true when reduction() or beat() has changed.
  bool update(std::int64_t now_ns, double dearest_ns, std::int64_t agent_cpu_ns);

  // In force now.
  model::Reduction reduction() const noexcept { return reduction_; }
  // Changes each second, for what processes have switched off by themselves.
  std::uint8_t beat() const noexcept { return beat_; }
  // What the budget has enforced so far, in the order of time.
  const std::vector<model::DetailChange>& changes() const noexcept { return changes_; }

 private:
  DetailWish wish_;
  OverheadBudget budget_;
  std::optional<OnOffBlocks> blocks_;
  model::Reduction reduction_ = model::Reduction::kNone;
  std::uint8_t beat_ = 0;
  std::int64_t next_ns_ = 0;  // when the budget is looked at again
  double cost_ns_ = 0;        // since it was looked at last
  std::int64_t agent_cpu_ns_ = -1;
  std::vector<model::DetailChange> changes_;
};

}  // namespace latido::agent
