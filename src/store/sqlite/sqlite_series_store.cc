#include "store/sqlite/sqlite_series_store.h"

#include <algorithm>
#include <string>

#include "store/batch_codec.h"
#include "store/chunk_codec.h"
#include "store/sqlite/chunk_sealer.h"

namespace latido::store {
namespace {

// Sealed when the series have so many points on average.
constexpr std::size_t kSealPoints = 1024;

Result<std::int64_t> query_integer(Database& database, std::string_view sql) {
  auto query = database.prepare(sql);
  if (!query.has_value()) return std::move(query).error();
  const auto row = query.value().step();
  if (!row.has_value()) return row.error();
  return row.value() ? query.value().integer(0) : 0;
}

constexpr std::string_view kSealedSequence = "SELECT value FROM meta WHERE key = 'sealed_sequence'";

}  // namespace

Result<SqliteSeriesStore> SqliteSeriesStore::open(Database& database) {
  SqliteSeriesStore store(database);
  const auto series = query_integer(database, "SELECT count(*) FROM series");
  if (!series.has_value()) return series.error();
  const auto points = query_integer(database, "SELECT total(points) FROM batches");
  if (!points.has_value()) return points.error();
  const auto last = query_integer(database, "SELECT max(sequence) FROM batches");
  if (!last.has_value()) return last.error();
  const auto sealed = query_integer(database, kSealedSequence);
  if (!sealed.has_value()) return sealed.error();
  store.known_series_ = static_cast<std::size_t>(series.value());
  store.unsealed_points_ = static_cast<std::size_t>(points.value());
  store.last_sequence_ = static_cast<std::uint64_t>(std::max(last.value(), sealed.value()));
  return store;
}

Status SqliteSeriesStore::append(std::uint64_t sequence, std::span<const model::Sample> samples,
                                 const model::SeriesTable& table) {
  if (sequence <= last_sequence_) return ok();
  if (samples.size() > kMaxBatchSamples) {
    return Error{ErrorCode::kInvalidInput, "too many samples in one batch"};
  }
  for (const model::Sample& sample : samples) {
    if (model::index_of(sample.series) < table.all().size()) continue;
    return Error{ErrorCode::kInvalidInput, "a sample of a series that is not in the table"};
  }
  Status done = database_->transaction([&]() -> Status {
    Status put = put_new_series(table);
    return put.has_value() ? put_batch(sequence, samples) : put;
  });
  if (!done.has_value()) return done;
  known_series_ = table.all().size();
  last_sequence_ = sequence;
  unsealed_points_ += samples.size();
  return unsealed_points_ >= kSealPoints * known_series_ ? seal() : ok();
}

Status SqliteSeriesStore::put_new_series(const model::SeriesTable& table) {
  if (known_series_ == table.all().size()) return ok();
  auto insert = database_->prepare("INSERT INTO series VALUES (?, ?, ?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  for (std::size_t id = known_series_; id < table.all().size(); ++id) {
    const model::Series& series = table.all()[id];
    insert.value().bind(static_cast<std::int64_t>(id)).bind(series.metric);
    if (series.process == model::kHost) {
      insert.value().bind_null();
    } else {
      insert.value().bind(static_cast<std::int64_t>(series.process));
    }
    if (Status done = insert.value().bind(series.label).run(); !done.has_value()) return done;
  }
  return ok();
}

Status SqliteSeriesStore::put_batch(std::uint64_t sequence,
                                    std::span<const model::Sample> samples) {
  auto insert = database_->prepare("INSERT INTO batches VALUES (?, ?, ?, ?, ?)");
  if (!insert.has_value()) return std::move(insert).error();
  std::int64_t min_ns = 0;
  std::int64_t max_ns = 0;
  if (!samples.empty()) {
    const auto [min, max] = std::ranges::minmax_element(samples, {}, &model::Sample::ts_ns);
    min_ns = min->ts_ns;
    max_ns = max->ts_ns;
  }
  const std::vector<std::byte> data = encode_batch(samples);
  return insert.value()
      .bind(static_cast<std::int64_t>(sequence))
      .bind(min_ns)
      .bind(max_ns)
      .bind(static_cast<std::int64_t>(samples.size()))
      .bind(std::span<const std::byte>(data))
      .run();
}

Status SqliteSeriesStore::seal() {
  Status done = database_->transaction([&]() -> Status {
    Status sealed = seal_batches(*database_, known_series_);
    if (!sealed.has_value()) return sealed;
    return database_->execute("INSERT OR REPLACE INTO meta VALUES ('sealed_sequence', '" +
                              std::to_string(last_sequence_) + "')");
  });
  if (done.has_value()) unsealed_points_ = 0;
  return done;
}

Result<model::SeriesTable> SqliteSeriesStore::series() {
  auto query = database_->prepare("SELECT metric, process, label FROM series ORDER BY id");
  if (!query.has_value()) return std::move(query).error();
  model::SeriesTable table;
  while (true) {
    const auto more = query.value().step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return table;
    const bool host = query.value().is_null(1);
    table.intern(
        {.metric = std::string(query.value().text(0)),
         .process = host ? model::kHost : static_cast<model::ProcessId>(query.value().integer(1)),
         .label = std::string(query.value().text(2))});
  }
}

Result<std::vector<model::Sample>> SqliteSeriesStore::read(model::SeriesId series,
                                                           std::int64_t from_ns,
                                                           std::int64_t to_ns) {
  std::vector<model::Sample> samples;
  if (Status done = read_chunks(series, from_ns, to_ns, samples); !done.has_value()) {
    return std::move(done).error();
  }
  if (Status done = read_batches(series, from_ns, to_ns, samples); !done.has_value()) {
    return std::move(done).error();
  }
  if (!std::ranges::is_sorted(samples, {}, &model::Sample::ts_ns)) {
    std::ranges::stable_sort(samples, {}, &model::Sample::ts_ns);
  }
  return samples;
}

Status SqliteSeriesStore::read_chunks(model::SeriesId series, std::int64_t from_ns,
                                      std::int64_t to_ns, std::vector<model::Sample>& out) {
  auto query = database_->prepare(
      "SELECT times.data, chunks.data FROM chunks JOIN times ON times.id = chunks.times"
      " WHERE series = ? AND min_ns <= ? AND max_ns >= ? ORDER BY min_ns");
  if (!query.has_value()) return std::move(query).error();
  query.value().bind(static_cast<std::int64_t>(series)).bind(to_ns).bind(from_ns);
  while (true) {
    const auto more = query.value().step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return ok();
    const auto times = decode_times(query.value().blob(0));
    if (!times.has_value()) return times.error();
    const auto values = decode_values(query.value().blob(1));
    if (!values.has_value()) return values.error();
    if (times.value().size() != values.value().size()) {
      return Error{ErrorCode::kDataLoss, "a chunk of a series has more times than values"};
    }
    for (std::size_t i = 0; i < times.value().size(); ++i) {
      const std::int64_t ns = times.value()[i];
      if (ns >= from_ns && ns <= to_ns) out.push_back({series, ns, values.value()[i]});
    }
  }
}

Status SqliteSeriesStore::read_batches(model::SeriesId series, std::int64_t from_ns,
                                       std::int64_t to_ns, std::vector<model::Sample>& out) {
  auto query = database_->prepare(
      "SELECT data FROM batches WHERE min_ns <= ? AND max_ns >= ? ORDER BY sequence");
  if (!query.has_value()) return std::move(query).error();
  query.value().bind(to_ns).bind(from_ns);
  while (true) {
    const auto more = query.value().step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return ok();
    const auto samples = decode_batch(query.value().blob(0));
    if (!samples.has_value()) return samples.error();
    for (const model::Sample& sample : samples.value()) {
      const bool inside = sample.ts_ns >= from_ns && sample.ts_ns <= to_ns;
      if (sample.series == series && inside) out.push_back(sample);
    }
  }
}

}  // namespace latido::store
