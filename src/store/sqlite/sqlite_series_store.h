// SqliteSeriesStore: the samples of a run in its run.db.
//
// An append is one transaction with one blob. Now and then, and when the run ends, the blobs are
// rewritten into chunks of one series each (chunk_codec.h). Reading merges chunks and blobs: nothing
// is kept in memory between calls. Borrows the database; same thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "store/series_store.h"
#include "store/sqlite/database.h"

namespace latido::store {

class SqliteSeriesStore final : public SeriesStore {
 public:
  // `database` must outlive the store. Reads what is there already.
  static Result<SqliteSeriesStore> open(Database& database);

  Status append(std::uint64_t sequence, std::span<const model::Sample> samples,
                const model::SeriesTable& table) override;
  Result<std::vector<model::Sample>> read(model::SeriesId series, std::int64_t from_ns,
                                          std::int64_t to_ns) override;
  Result<model::SeriesTable> series() override;
  Status seal() override;

 private:
  explicit SqliteSeriesStore(Database& database) : database_(&database) {}

  Status put_new_series(const model::SeriesTable& table);
  Status put_batch(std::uint64_t sequence, std::span<const model::Sample> samples);
  Status read_chunks(model::SeriesId series, std::int64_t from_ns, std::int64_t to_ns,
                     std::vector<model::Sample>& out);
  Status read_batches(model::SeriesId series, std::int64_t from_ns, std::int64_t to_ns,
                      std::vector<model::Sample>& out);

  Database* database_;
  std::size_t known_series_ = 0;
  std::uint64_t last_sequence_ = 0;
  std::size_t unsealed_points_ = 0;
};

}  // namespace latido::store
