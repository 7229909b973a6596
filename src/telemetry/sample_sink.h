// SampleSink and SeriesSlot: how a source hands over its numbers without looking a name up each
// time.
#pragma once

#include <cassert>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "model/ids.h"
#include "model/metric_catalogue.h"
#include "model/sample.h"

namespace latido::telemetry {

// Where the samples of one round go. Borrows the caller's tables for that round.
struct SampleSink {
  std::int64_t now_ns = 0;
  model::SeriesTable& series;
  std::vector<model::Sample>& out;
};

// One series of one source. Its id is asked for at the first value, so that a series without values
// never appears; from then on the source must be given the same SeriesTable.
class SeriesSlot {
 public:
  explicit SeriesSlot(std::string_view metric, model::ProcessId process = model::kHost,
                      std::string label = {})
      : metric_(metric), process_(process), label_(std::move(label)) {
    assert(model::find_metric(metric) != nullptr);
  }

  void put(SampleSink& sink, double value) {
    if (!id_) id_ = sink.series.intern({std::string(metric_), process_, label_});
    sink.out.push_back({*id_, sink.now_ns, value});
  }
  void put(SampleSink& sink, std::uint64_t value) { put(sink, static_cast<double>(value)); }

 private:
  std::string_view metric_;  // a literal
  model::ProcessId process_;
  std::string label_;
  std::optional<model::SeriesId> id_;
};

}  // namespace latido::telemetry
