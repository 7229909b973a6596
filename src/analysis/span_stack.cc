#include "analysis/span_stack.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace latido::analysis {
namespace {

// Recursion is looked for this far out: a bound on the cost of a begin.
constexpr std::size_t kRecursionDepth = 64;

}  // namespace

bool SpanStack::is_recursive(model::SiteId site) const noexcept {
  const std::size_t depth = std::min(open_.size(), kRecursionDepth);
  return std::any_of(open_.rbegin(), open_.rbegin() + static_cast<std::ptrdiff_t>(depth),
                     [site](const OpenSpan& span) { return span.site == site; });
}

bool SpanStack::begin(model::SiteId site, model::Category category, std::int64_t ts_ns) {
  advance(ts_ns);
  if (open_.size() >= kMaxDepth) {
    ++too_deep_;
    return false;
  }
  OpenSpan span;
  span.site = site;
  span.category = category;
  span.bucket = bucket_inside(bucket(), category);
  span.recursive = is_recursive(site);
  span.begin = clock_.now();
  open_.push_back(span);
  ++open_of_[static_cast<std::size_t>(category)];
  return true;
}

std::size_t SpanStack::count_closing(model::SiteId site) noexcept {
  if (too_deep_ > 0) {
    --too_deep_;
    return 0;
  }
  const auto it = std::find_if(open_.rbegin(), open_.rend(),
                               [site](const OpenSpan& span) { return span.site == site; });
  if (it == open_.rend()) {
    ++unmatched_;
    return 0;
  }
  return static_cast<std::size_t>(std::distance(open_.rbegin(), it)) + 1;
}

ClosedSpan SpanStack::close(std::int64_t ts_ns, bool cut) {
  advance(ts_ns);
  ClosedSpan closed{.span = open_.back(), .end = clock_.now(), .cut = cut};
  open_.pop_back();
  --open_of_[static_cast<std::size_t>(closed.span.category)];
  if (!open_.empty()) open_.back().children_ns += closed.duration_ns();
  return closed;
}

void SpanStack::drop_between(std::size_t depth) {
  if (depth + 1 >= open_.size()) return;
  const auto first = open_.begin() + static_cast<std::ptrdiff_t>(depth);
  for (auto it = first; it != open_.end() - 1; ++it) {
    --open_of_[static_cast<std::size_t>(it->category)];
  }
  open_.erase(first, open_.end() - 1);
  const Bucket outer = depth == 0 ? Bucket::kUnnamed : open_[depth - 1].bucket;
  open_.back().bucket = bucket_inside(outer, open_.back().category);
}

}  // namespace latido::analysis
