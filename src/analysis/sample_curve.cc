#include "analysis/sample_curve.h"

#include <algorithm>
#include <cmath>

namespace latido::analysis {

bool SampleCurve::add(std::int64_t ts_ns, double value, std::size_t limit) {
  if (!std::isfinite(value) || (!points_.empty() && ts_ns <= points_.back().ts_ns)) return false;
  if (kind_ == CurveKind::kCounter) {
    if (!points_.empty() && value < raw_) carried_ += raw_;
    raw_ = value;
    value += carried_;
  }
  peak_ = points_.empty() ? value : std::max(peak_, value);
  points_.push_back({.ts_ns = ts_ns, .value = value});
  thin_to(limit);
  return true;
}

void SampleCurve::thin_to(std::size_t limit) {
  // Two points are the least that tell a rate.
  while (points_.size() > std::max<std::size_t>(limit, 2)) {
    const Point last = points_.back();
    std::size_t to = 0;
    for (std::size_t i = 0; i + 1 < points_.size(); i += 2) {
      Point kept = points_[i];
      const double next = points_[i + 1].value;
      if (kind_ == CurveKind::kPeakGauge) kept.value = std::max(kept.value, next);
      if (kind_ == CurveKind::kFloorGauge) kept.value = std::min(kept.value, next);
      points_[to++] = kept;
    }
    points_[to++] = last;
    points_.resize(to);
  }
}

double SampleCurve::at(std::int64_t ts_ns) const noexcept {
  const auto after =
      std::upper_bound(points_.begin(), points_.end(), ts_ns,
                       [](std::int64_t ts, const Point& point) { return ts < point.ts_ns; });
  if (after == points_.begin()) return points_.front().value;
  if (after == points_.end()) return points_.back().value;
  const Point& before = *(after - 1);
  const double share =
      static_cast<double>(ts_ns - before.ts_ns) / static_cast<double>(after->ts_ns - before.ts_ns);
  return before.value + share * (after->value - before.value);
}

std::span<const SampleCurve::Point> SampleCurve::between(std::int64_t begin_ns,
                                                         std::int64_t end_ns) const noexcept {
  const auto earlier = [](const Point& point, std::int64_t ts) { return point.ts_ns < ts; };
  const auto first = std::lower_bound(points_.begin(), points_.end(), begin_ns, earlier);
  return {first, std::lower_bound(first, points_.end(), end_ns, earlier)};
}

double SampleCurve::lowest(std::int64_t begin_ns, std::int64_t end_ns) const noexcept {
  const auto points = between(begin_ns, end_ns);
  if (points.empty()) return at(begin_ns + (end_ns - begin_ns) / 2);
  return std::ranges::min(points, {}, &Point::value).value;
}

std::optional<double> SampleCurve::highest(std::int64_t begin_ns,
                                           std::int64_t end_ns) const noexcept {
  const auto points = between(begin_ns, end_ns);
  if (points.empty()) return std::nullopt;
  return std::ranges::max(points, {}, &Point::value).value;
}

std::int64_t SampleCurve::covered_ns(std::int64_t begin_ns, std::int64_t end_ns) const noexcept {
  return std::max<std::int64_t>(0, std::min(end_ns, last_ns()) - std::max(begin_ns, first_ns()));
}

}  // namespace latido::analysis
