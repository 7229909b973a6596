// SeriesStore: the seam to whatever keeps the samples of a run.
//
// Implementation: SqliteSeriesStore (sqlite/sqlite_series_store.h). Used by session on one thread.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/result.h"
#include "model/sample.h"

namespace latido::store {

class SeriesStore {
 public:
  virtual ~SeriesStore() = default;

  // Keeps all of `samples` or none. `sequence` counts up from 1; one that was kept already is not kept
  // again, so that a sender may repeat. `table` names the series that the samples use.
  virtual Status append(std::uint64_t sequence, std::span<const model::Sample> samples,
                        const model::SeriesTable& table) = 0;

  // Samples of one series with from_ns <= ts_ns <= to_ns, in the order of time.
  virtual Result<std::vector<model::Sample>> read(model::SeriesId series, std::int64_t from_ns,
                                                  std::int64_t to_ns) = 0;

  virtual Result<model::SeriesTable> series() = 0;

  // Packs what was appended so far. To be called when a run ends; append() does it by itself now and then.
  virtual Status seal() = 0;
};

}  // namespace latido::store
