#include "session/export_timeline.h"

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "formats/chrome_json/chrome_writer.h"
#include "formats/perfetto/segment_reader.h"
#include "formats/perfetto/segment_writer.h"
#include "formats/perfetto/series_packets.h"
#include "session/named_tables.h"
#include "store/run_folder.h"
#include "store/run_index.h"
#include "store/sqlite/function_name_store.h"
#include "store/sqlite/run_catalog.h"
#include "store/sqlite/run_database.h"
#include "store/sqlite/sqlite_series_store.h"

namespace latido::session {
namespace {

using formats::chrome_json::ChromeWriter;
using formats::perfetto::SegmentReader;
using formats::perfetto::SegmentWriter;
using formats::perfetto::SeriesPackets;

using OnSeries = std::function<Status(const model::Series&, const std::vector<model::Sample>&)>;

Error no_timeline() { return {ErrorCode::kNotFound, "this run recorded no timeline"}; }

// What cannot be read of the database is left out: a recorder that was killed may have left none.
std::vector<model::Process> read_processes(const store::RunFolder& folder) {
  auto database = store::open_run_database(folder.database_path());
  if (!database) return {};
  auto processes = store::RunCatalog(database.value()).processes();
  return processes ? std::move(processes).value() : std::vector<model::Process>();
}

std::vector<model::FunctionName> read_names(const store::RunFolder& folder) {
  auto database = store::open_run_database(folder.database_path());
  if (!database) return {};
  auto names = store::FunctionNameStore(database.value()).read();
  return names ? std::move(names).value() : std::vector<model::FunctionName>();
}

Status for_each_series(const store::RunFolder& folder, const OnSeries& on_series) {
  auto database = store::open_run_database(folder.database_path());
  if (!database) return ok();
  auto store = store::SqliteSeriesStore::open(database.value());
  if (!store) return ok();
  auto table = store.value().series();
  if (!table) return ok();
  for (std::size_t i = 0; i < table.value().all().size(); ++i) {
    auto samples = store.value().read(static_cast<model::SeriesId>(i), 0,
                                      std::numeric_limits<std::int64_t>::max());
    if (!samples) continue;
    if (Status status = on_series(table.value().all()[i], samples.value()); !status) return status;
  }
  return ok();
}

// Calls `on_segment(bytes)` for each that can be read.
template <typename OnSegment>
Status for_each_segment(const store::RunFolder& folder, const OnSegment& on_segment) {
  auto numbers = folder.segments();
  if (!numbers) return std::move(numbers).error();
  if (numbers.value().empty()) return no_timeline();
  for (const std::uint32_t number : numbers.value()) {
    auto bytes = folder.read_segment(number);
    if (!bytes) continue;
    if (Status status = on_segment(bytes.value()); !status) return status;
  }
  return ok();
}

// Calls `on_events(events, tables)` for the whole timeline, in pieces.
template <typename OnEvents>
Status for_each_event(const store::RunFolder& folder, SegmentReader& reader, NamedTables& named,
                      const OnEvents& on_events) {
  return for_each_segment(folder, [&](std::span<const std::byte> bytes) -> Status {
    Status written = ok();
    auto status = reader.read(bytes, [&](std::span<const model::Event> events) {
      if (written) written = on_events(events, named.update(reader.tables()));
    });
    return status ? written : status;
  });
}

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// Segments hold addresses in place of the names of C and C++ functions: those are written anew.
Status write_named_segments(const store::RunFolder& folder, const model::Run& run,
                            NamedTables& named, const ExportSink& sink) {
  SegmentReader reader;
  SegmentWriter::Options options;
  options.anchor = {.monotonic_ns = run.start_ns, .realtime_ns = run.started_wall_ns};
  SegmentWriter writer(options);
  const Status status = for_each_event(
      folder, reader, named,
      [&](std::span<const model::Event> events, const model::Tables& tables) -> Status {
        while (!events.empty()) {
          events = events.subspan(writer.append(events, tables));
          if (!writer.segment_full()) continue;
          if (Status written = sink(as_text(writer.finish_segment())); !written) return written;
        }
        return sink(as_text(writer.take_block()));
      });
  return status ? sink(as_text(writer.finish_segment())) : status;
}

}  // namespace

Status export_perfetto(const std::filesystem::path& run, const ExportSink& sink) {
  auto folder = store::RunFolder::open(run);
  if (!folder) return std::move(folder).error();
  auto meta = store::read_meta(run);
  if (!meta) return std::move(meta).error().with_context(run.string());
  NamedTables named(read_names(folder.value()));
  const Status status =
      named.has_names() ? write_named_segments(folder.value(), meta.value(), named, sink)
                        : for_each_segment(folder.value(), [&](std::span<const std::byte> bytes) {
                            return sink(as_text(bytes));
                          });
  if (!status) return status;
  SeriesPackets packets;
  const auto processes = read_processes(folder.value());
  for (std::size_t i = 0; i < processes.size(); ++i) {
    packets.append_process(static_cast<model::ProcessId>(i), processes[i]);
  }
  return for_each_series(folder.value(), [&](const model::Series& series, const auto& samples) {
    packets.append(series, samples);
    return sink(packets.take());
  });
}

Status export_chrome(const std::filesystem::path& run, std::string_view version,
                     const ExportSink& sink) {
  auto folder = store::RunFolder::open(run);
  if (!folder) return std::move(folder).error();
  auto meta = store::read_meta(run);
  if (!meta) return std::move(meta).error().with_context(run.string());
  ChromeWriter writer(meta.value(), version);
  SegmentReader reader;
  NamedTables named(read_names(folder.value()));
  const Status events =
      for_each_event(folder.value(), reader, named,
                     [&](std::span<const model::Event> batch, const model::Tables& tables) {
                       writer.append(batch, tables);
                       return sink(writer.take());
                     });
  if (!events) return events;
  model::Tables tables = named.update(reader.tables());
  // Those without a recorder are in the database only.
  auto processes = read_processes(folder.value());
  if (processes.size() >= tables.processes.size()) tables.processes = std::move(processes);
  const Status status =
      for_each_series(folder.value(), [&](const model::Series& series, const auto& samples) {
        writer.append_series(series, samples, tables);
        return sink(writer.take());
      });
  if (!status) return status;
  writer.finish(tables);
  return sink(writer.take());
}

}  // namespace latido::session
