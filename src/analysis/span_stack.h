// SpanStack: the open spans of one thread. Turns begin and end events into closed spans and keeps the
// thread's PhaseClock.
//
// Tolerates what a recording can lack: an end whose begin was cut off is counted and ignored; an end
// below the innermost span closes what is open above it, since those ends are missing; times that run
// backwards stand still. Not thread-safe; never fails.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "analysis/phase_clock.h"
#include "analysis/site_roles.h"
#include "model/ids.h"

namespace latido::analysis {

class SpanArgs {
 public:
  void set(ArgName name, std::uint64_t value) noexcept {
    if (name == ArgName::kOther) return;
    values_[static_cast<std::size_t>(name)] = value;
    present_ = static_cast<std::uint16_t>(present_ | (1U << static_cast<unsigned>(name)));
  }
  std::optional<std::uint64_t> get(ArgName name) const noexcept {
    if ((present_ >> static_cast<unsigned>(name) & 1U) == 0) return std::nullopt;
    return values_[static_cast<std::size_t>(name)];
  }

 private:
  std::array<std::uint64_t, kArgNameCount> values_{};
  std::uint16_t present_ = 0;
};

struct OpenSpan {
  model::SiteId site{};
  model::Category category = model::Category::kZone;
  Bucket bucket = Bucket::kZones;
  bool recursive = false;  // the same site is open further out
  Mark begin;
  std::int64_t children_ns = 0;  // of recorded spans directly inside
  SpanArgs args;
};

struct ClosedSpan {
  OpenSpan span;
  Mark end;
  bool cut = false;  // its own end is missing

  std::int64_t duration_ns() const noexcept { return end.ts_ns - span.begin.ts_ns; }
  std::int64_t self_ns() const noexcept { return duration_ns() - span.children_ns; }
};

class SpanStack {
 public:
  // Deeper spans are counted only: their time belongs to the span at this depth.
  static constexpr std::size_t kMaxDepth = 512;

  // False when the span is too deep to be kept.
  bool begin(model::SiteId site, model::Category category, std::int64_t ts_ns);

  // How many spans an end of `site` closes: 1, more when ends are missing, 0 when its begin is.
  // Consumes the end of a span that was too deep to keep, with 0.
  std::size_t count_closing(model::SiteId site) noexcept;
  // Closes the innermost span. Precondition: not empty().
  ClosedSpan close(std::int64_t ts_ns, bool cut);

  // The innermost span, to which an argument belongs; nullptr when that one is not kept.
  OpenSpan* innermost() noexcept {
    return open_.empty() || too_deep_ > 0 ? nullptr : &open_.back();
  }
  // Takes the span at `depth` and what is inside it, but for the innermost span, out of the stack:
  // their ends will not come. The innermost is then charged as if they had not been there.
  void drop_between(std::size_t depth);

  // Lets the time until `ts_ns` pass without any change.
  void advance(std::int64_t ts_ns) noexcept { clock_.advance(ts_ns, bucket()); }

  const Mark& now() const noexcept { return clock_.now(); }
  Bucket bucket() const noexcept { return open_.empty() ? Bucket::kUnnamed : open_.back().bucket; }
  bool empty() const noexcept { return open_.empty(); }
  // Outermost first.
  const std::vector<OpenSpan>& open() const noexcept { return open_; }
  std::uint32_t open_of(model::Category category) const noexcept {
    return open_of_[static_cast<std::size_t>(category)];
  }
  std::uint64_t unmatched() const noexcept { return unmatched_; }

 private:
  bool is_recursive(model::SiteId site) const noexcept;

  PhaseClock clock_;
  std::vector<OpenSpan> open_;
  std::array<std::uint32_t, model::kCategoryCount> open_of_{};
  std::uint64_t too_deep_ = 0;
  std::uint64_t unmatched_ = 0;
};

}  // namespace latido::analysis
