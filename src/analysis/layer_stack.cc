#include "analysis/layer_stack.h"

#include <algorithm>

namespace latido::analysis {

void LayerStack::begin(model::SiteId site, std::int64_t ts_ns) {
  if (open_.size() >= kMaxDepth) {
    ++too_deep_;
    return;
  }
  open_.push_back({.site = site, .begin_ns = ts_ns, .cost_before_ns = cost_ns_});
}

void LayerStack::end_cost(std::int64_t ts_ns) noexcept {
  if (cost_begin_ns_ != kNone) cost_ns_ += std::max<std::int64_t>(ts_ns - cost_begin_ns_, 0);
  cost_begin_ns_ = kNone;
}

std::size_t LayerStack::count_closing(model::SiteId site) noexcept {
  if (too_deep_ > 0) {
    --too_deep_;
    return 0;
  }
  const auto it = std::find_if(open_.rbegin(), open_.rend(),
                               [site](const Open& each) { return each.site == site; });
  return it == open_.rend() ? 0 : static_cast<std::size_t>(it - open_.rbegin()) + 1;
}

LayerCall LayerStack::close(std::int64_t ts_ns, bool cut) {
  const Open closed = open_.back();
  open_.pop_back();
  LayerCall call{.site = closed.site, .cut = cut};
  const std::int64_t cost_ns = cost_ns_ - closed.cost_before_ns;
  call.duration_ns = std::max<std::int64_t>(ts_ns - closed.begin_ns - cost_ns, 0);
  call.self_ns = std::max<std::int64_t>(call.duration_ns - closed.children_ns, 0);
  call.recursive = std::any_of(open_.begin(), open_.end(),
                               [&](const Open& each) { return each.site == closed.site; });
  if (!open_.empty()) open_.back().children_ns += call.duration_ns;
  return call;
}

}  // namespace latido::analysis
