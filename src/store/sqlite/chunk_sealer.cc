#include "store/sqlite/chunk_sealer.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "model/sample.h"
#include "store/batch_codec.h"
#include "store/chunk_codec.h"

namespace latido::store {
namespace {

// 64 series with 1,024 points each are 1 MiB.
constexpr std::size_t kGroupSeries = 64;

struct Column {
  std::vector<std::int64_t> times_ns;
  std::vector<double> values;
};
using Columns = std::vector<Column>;

// A series that was sampled from two threads may have points out of order.
void sort_by_time(Column& column) {
  if (std::ranges::is_sorted(column.times_ns)) return;
  std::vector<std::pair<std::int64_t, double>> points;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    points.emplace_back(column.times_ns[i], column.values[i]);
  }
  std::ranges::stable_sort(points, {}, &std::pair<std::int64_t, double>::first);
  for (std::size_t i = 0; i < points.size(); ++i) {
    column.times_ns[i] = points[i].first;
    column.values[i] = points[i].second;
  }
}

// Writes columns as chunks; equal times are written once.
class ChunkWriter {
 public:
  explicit ChunkWriter(Statement put_times, Statement last_times, Statement put_chunk)
      : put_times_(std::move(put_times)),
        last_times_(std::move(last_times)),
        put_chunk_(std::move(put_chunk)) {}

  static Result<ChunkWriter> make(Database& database) {
    auto times = database.prepare("INSERT INTO times (data) VALUES (?)");
    if (!times.has_value()) return std::move(times).error();
    auto last = database.prepare("SELECT last_insert_rowid()");
    if (!last.has_value()) return std::move(last).error();
    auto chunk = database.prepare(
        "INSERT INTO chunks (series, min_ns, max_ns, points, times, data) VALUES (?,?,?,?,?,?)");
    if (!chunk.has_value()) return std::move(chunk).error();
    return ChunkWriter(std::move(times).value(), std::move(last).value(), std::move(chunk).value());
  }

  Status put(std::int64_t series, const Column& column) {
    const std::span<const std::int64_t> times(column.times_ns);
    const std::span<const double> values(column.values);
    for (std::size_t at = 0; at < times.size(); at += kMaxChunkPoints) {
      const std::size_t count = std::min(kMaxChunkPoints, times.size() - at);
      Status done = put_one(series, times.subspan(at, count), values.subspan(at, count));
      if (!done.has_value()) return done;
    }
    return ok();
  }

 private:
  Status put_one(std::int64_t series, std::span<const std::int64_t> times_ns,
                 std::span<const double> values) {
    const auto times = times_id(times_ns);
    if (!times.has_value()) return times.error();
    const std::vector<std::byte> data = encode_values(values);
    return put_chunk_.bind(series)
        .bind(times_ns.front())
        .bind(times_ns.back())
        .bind(static_cast<std::int64_t>(times_ns.size()))
        .bind(times.value())
        .bind(std::span<const std::byte>(data))
        .run();
  }

  Result<std::int64_t> times_id(std::span<const std::int64_t> times_ns) {
    std::vector<std::byte> data = encode_times(times_ns);
    const auto known = ids_.find(data);
    if (known != ids_.end()) return known->second;
    if (Status done = put_times_.bind(std::span<const std::byte>(data)).run(); !done.has_value()) {
      return std::move(done).error();
    }
    const auto row = last_times_.step();
    if (!row.has_value()) return row.error();
    const std::int64_t id = last_times_.integer(0);
    if (Status done = last_times_.run(); !done.has_value()) return std::move(done).error();
    // Distinct times come from series that are sampled apart; beyond some, remembering is no use.
    if (ids_.size() < kGroupSeries) ids_.emplace(std::move(data), id);
    return id;
  }

  Statement put_times_;
  Statement last_times_;
  Statement put_chunk_;
  std::map<std::vector<std::byte>, std::int64_t> ids_;
};

Status read_group(Statement& batches, std::size_t first_series, Columns& columns) {
  while (true) {
    const auto more = batches.step();
    if (!more.has_value()) return more.error();
    if (!more.value()) return ok();
    const auto samples = decode_batch(batches.blob(0));
    if (!samples.has_value()) continue;  // damaged: the rest is still worth keeping
    for (const model::Sample& sample : samples.value()) {
      const std::size_t slot = model::index_of(sample.series) - first_series;
      if (slot >= columns.size()) continue;
      columns[slot].times_ns.push_back(sample.ts_ns);
      columns[slot].values.push_back(sample.value);
    }
  }
}

}  // namespace

Status seal_batches(Database& database, std::size_t series_count) {
  auto batches = database.prepare("SELECT data FROM batches ORDER BY sequence");
  if (!batches.has_value()) return std::move(batches).error();
  auto writer = ChunkWriter::make(database);
  if (!writer.has_value()) return std::move(writer).error();
  for (std::size_t first = 0; first < series_count; first += kGroupSeries) {
    Columns columns(std::min(kGroupSeries, series_count - first));
    Status done = read_group(batches.value(), first, columns);
    if (!done.has_value()) return done;
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (columns[i].times_ns.empty()) continue;
      sort_by_time(columns[i]);
      done = writer.value().put(static_cast<std::int64_t>(first + i), columns[i]);
      if (!done.has_value()) return done;
    }
  }
  return database.execute("DELETE FROM batches");
}

}  // namespace latido::store
