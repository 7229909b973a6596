#include "agent/detail_control.h"

#include <algorithm>

namespace latido::agent {

using model::Reduction;

namespace {

constexpr std::int64_t kSecond_ns = 1'000'000'000;

static_assert(static_cast<int>(Reduction::kStepsOnly) ==
              static_cast<int>(capture::Reduction::kStepsOnly));

}  // namespace

DetailControl::DetailControl(const DetailWish& wish) : wish_(wish), budget_(wish.budget_ratio) {
  if (wish.measure) blocks_.emplace(wish.seed);
}

bool DetailControl::update(std::int64_t now_ns, double dearest_ns, std::int64_t agent_cpu_ns) {
  const Reduction before = reduction_;
  cost_ns_ += dearest_ns;
  if (blocks_) reduction_ = blocks_->is_on(now_ns) ? Reduction::kNone : Reduction::kStepsOnly;
  if (now_ns < next_ns_) return reduction_ != before;
  next_ns_ = now_ns + kSecond_ns;
  ++beat_;
  // The recorder competes with the program for the machine's cores.
  if (agent_cpu_ns_ >= 0) {
    cost_ns_ += static_cast<double>(agent_cpu_ns - agent_cpu_ns_) / std::max(wish_.cores, 1U);
  }
  agent_cpu_ns_ = agent_cpu_ns;
  const bool changed = budget_.spend(now_ns, cost_ns_);
  cost_ns_ = 0;
  if (!blocks_ && changed) {
    reduction_ = static_cast<Reduction>(budget_.reduction());
    changes_.push_back({.ts_ns = now_ns, .reduction = reduction_});
  }
  return true;
}

}  // namespace latido::agent
