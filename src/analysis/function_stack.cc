#include "analysis/function_stack.h"

#include <algorithm>

namespace latido::analysis {

void FunctionStack::begin(model::SiteId site, std::int64_t ts_ns) {
  if (open_.size() == kMaxDepth) {
    ++too_deep_;
    return;
  }
  std::uint32_t& open = open_of_[static_cast<std::uint32_t>(site)];
  const bool recursive = open++ > 0;
  open_.push_back({.site = site, .recursive = recursive, .begin_ns = ts_ns});
}

std::size_t FunctionStack::count_closing(model::SiteId site) noexcept {
  if (too_deep_ > 0) {
    --too_deep_;
    return 0;
  }
  if (!is_open(site)) return 0;
  const auto it = std::find_if(open_.rbegin(), open_.rend(),
                               [site](const Open& open) { return open.site == site; });
  return it == open_.rend() ? 0 : static_cast<std::size_t>(it - open_.rbegin()) + 1;
}

FunctionCall FunctionStack::close(std::int64_t ts_ns, bool cut) {
  const Open open = open_.back();
  open_.pop_back();
  --open_of_[static_cast<std::uint32_t>(open.site)];
  FunctionCall call{.site = open.site, .recursive = open.recursive, .cut = cut};
  call.duration_ns = std::max<std::int64_t>(0, ts_ns - open.begin_ns);
  call.self_ns = std::max<std::int64_t>(0, call.duration_ns - open.children_ns);
  if (!open_.empty()) open_.back().children_ns += call.duration_ns;
  return call;
}

std::vector<FunctionCall> FunctionStack::still_open(std::int64_t until_ns) const {
  FunctionStack copy = *this;
  std::vector<FunctionCall> calls;
  calls.reserve(open_.size());
  while (!copy.open_.empty()) calls.push_back(copy.close(until_ns, true));
  return calls;
}

}  // namespace latido::analysis
