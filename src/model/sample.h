// Samples: points of numeric series about a process or the machine.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <vector>

#include "model/ids.h"

namespace latido::model {

struct Series {
  std::string metric;  // a name of metric_catalogue.h
  ProcessId process = kHost;
  std::string label;  // core, disk or interface; empty when there is one only

  // clang-tidy 14 takes the 0 of a defaulted <=> for a pointer.
  auto operator<=>(const Series&) const = default;  // NOLINT(modernize-use-nullptr)
};

struct Sample {
  SeriesId series{};
  std::int64_t ts_ns = 0;  // CLOCK_MONOTONIC
  double value = 0;

  bool operator==(const Sample&) const = default;
};

// Gives each series of a run its id. Grows only.
class SeriesTable {
 public:
  SeriesId intern(const Series& series) {
    const auto [it, added] = ids_.try_emplace(series, static_cast<SeriesId>(all_.size()));
    if (added) all_.push_back(series);
    return it->second;
  }
  const std::vector<Series>& all() const noexcept { return all_; }

 private:
  std::map<Series, SeriesId> ids_;
  std::vector<Series> all_;
};

}  // namespace latido::model
