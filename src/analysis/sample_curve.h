// SampleCurve: the points of one series, thinned when they become too many.
//
// A counter that starts again at 0 goes on from where it was. Values between points are interpolated,
// beyond them they stand still.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace latido::analysis {

enum class CurveKind : std::uint8_t {
  kCounter,
  kGauge,
  kPeakGauge,   // thinning keeps the larger of two neighbours
  kFloorGauge,  // thinning keeps the smaller
};

class SampleCurve {
 public:
  struct Point {
    std::int64_t ts_ns = 0;
    double value = 0;
  };

  explicit SampleCurve(CurveKind kind) : kind_(kind) {}

  // Not finite, or not after the last point: ignored. False then.
  bool add(std::int64_t ts_ns, double value, std::size_t limit);
  // To at most `limit` points, by dropping every second one.
  void thin_to(std::size_t limit);

  bool empty() const noexcept { return points_.empty(); }
  std::span<const Point> points() const noexcept { return points_; }
  std::int64_t first_ns() const noexcept { return points_.front().ts_ns; }
  std::int64_t last_ns() const noexcept { return points_.back().ts_ns; }
  double last() const noexcept { return points_.back().value; }
  double peak() const noexcept { return peak_; }  // of all values ever

  // Preconditions: not empty.
  double at(std::int64_t ts_ns) const noexcept;
  // The least between the two times; where it has no point there, the value halfway.
  double lowest(std::int64_t begin_ns, std::int64_t end_ns) const noexcept;
  // The most between the two times; empty where it has no point there.
  std::optional<double> highest(std::int64_t begin_ns, std::int64_t end_ns) const noexcept;
  // How long of [begin, end) lies between the first and the last point.
  std::int64_t covered_ns(std::int64_t begin_ns, std::int64_t end_ns) const noexcept;

 private:
  // From the first time on, before the second.
  std::span<const Point> between(std::int64_t begin_ns, std::int64_t end_ns) const noexcept;

  CurveKind kind_;
  std::vector<Point> points_;
  double carried_ = 0;  // of a counter, from before it started again
  double raw_ = 0;
  double peak_ = 0;
};

}  // namespace latido::analysis
