#include "session/load_run.h"

#include <algorithm>
#include <filesystem>
#include <limits>
#include <system_error>

#include "analysis/run_analysis.h"
#include "analysis/sampled_functions.h"
#include "diagnosis/diagnose.h"
#include "formats/perfetto/segment_reader.h"
#include "session/native_names.h"
#include "store/run_folder.h"
#include "store/run_index.h"
#include "store/sqlite/call_tree_store.h"
#include "store/sqlite/function_name_store.h"
#include "store/sqlite/run_catalog.h"
#include "store/sqlite/run_database.h"
#include "store/sqlite/sqlite_series_store.h"

namespace latido::session {
namespace {

struct Counts {
  std::uint64_t events = 0;
  std::uint64_t malformed = 0;
};

// Feeds every readable event to `analysis`; returns the tables they index.
Result<model::Tables> read_timeline(const store::RunFolder& folder, analysis::RunAnalysis& analysis,
                                    Counts& counts) {
  auto numbers = folder.segments();
  if (!numbers) return std::move(numbers).error();
  formats::perfetto::SegmentReader reader;
  for (const std::uint32_t number : numbers.value()) {
    auto bytes = folder.read_segment(number);
    if (!bytes) {
      ++counts.malformed;
      continue;
    }
    auto status = reader.read(bytes.value(), [&](std::span<const model::Event> events) {
      analysis.add_events(reader.tables(), events);
    });
    if (!status) return std::move(status).error();
  }
  const auto& read = reader.counts();
  counts.events = read.events;
  counts.malformed +=
      read.malformed + read.lost + read.damaged_blocks + (read.truncated_bytes > 0 ? 1 : 0);
  return reader.tables();
}

// A note when the folder lacks something of a segment that the database knows: the other segments
// would not say so.
void note_missing_segments(const store::RunFolder& folder, store::RunCatalog& catalog,
                           model::Quality& quality) {
  auto entries = catalog.segments();
  if (!entries) return;
  const auto missing = std::ranges::count_if(entries.value(), [&](const auto& entry) {
    std::error_code error;
    const auto size = std::filesystem::file_size(folder.segment_path(entry.number), error);
    return error || size < entry.bytes;
  });
  if (missing == 0) return;
  quality.notes.push_back("timeline_incomplete: " + std::to_string(missing) + "/" +
                          std::to_string(entries.value().size()));
}

Status read_series(store::Database& database, analysis::RunAnalysis& analysis) {
  auto store = store::SqliteSeriesStore::open(database);
  if (!store) return std::move(store).error();
  auto table = store.value().series();
  if (!table) return std::move(table).error();
  for (std::size_t i = 0; i < table.value().all().size(); ++i) {
    auto samples = store.value().read(static_cast<model::SeriesId>(i), 0,
                                      std::numeric_limits<std::int64_t>::max());
    if (!samples) return std::move(samples).error();
    analysis.add_samples(table.value(), samples.value());
  }
  return ok();
}

// A recorder that was killed has found no names: then they are looked up now, as far as the files are there.
void name_functions(store::Database& database, model::Tables& tables, model::Quality& quality) {
  if (!has_native_functions(tables)) return;
  auto names = store::FunctionNameStore(database).read();
  if (!names || names.value().empty()) {
    FoundNames found = find_native_names(tables);
    for (std::string& problem : found.problems) {
      quality.notes.push_back("functions_without_names: " + std::move(problem));
    }
    names = std::move(found.names);
  }
  apply_native_names(names.value(), tables);
}

}  // namespace

Result<LoadedRun> load_run(const std::filesystem::path& path,
                           const diagnosis::Thresholds& thresholds) {
  auto folder = store::RunFolder::open(path);
  if (!folder) return std::move(folder).error();
  auto run = store::read_meta(path);
  if (!run) return std::move(run).error().with_context(path.string());
  auto database = store::open_run_database(folder.value().database_path());
  if (!database) return std::move(database).error().with_context(path.string());
  store::RunCatalog catalog(database.value());

  analysis::RunAnalysis analysis;
  Counts counts;
  // First: samples of memory wait for the events that say what the program was doing.
  const Status series = read_series(database.value(), analysis);
  auto tables = read_timeline(folder.value(), analysis, counts);
  if (!tables) return std::move(tables).error().with_context(path.string());
  // Processes without a recorder are in the database only.
  if (auto processes = catalog.processes()) {
    if (processes.value().size() >= tables.value().processes.size()) {
      tables.value().processes = std::move(processes).value();
    }
  }
  model::Quality quality;
  if (auto stored = catalog.quality()) {
    quality = std::move(stored).value();
  } else {
    quality.notes.push_back("database_incomplete");
  }
  quality.malformed += counts.malformed;
  note_missing_segments(folder.value(), catalog, quality);
  if (!series) quality.notes.push_back("series_unreadable: " + series.error().message);
  model::CallTree calls;
  if (auto read = store::CallTreeStore(database.value()).read()) {
    calls = std::move(read).value();
  } else {
    quality.notes.push_back("stacks_unreadable: " + read.error().message);
  }
  name_functions(database.value(), tables.value(), quality);
  LoadedRun loaded;
  loaded.facts = analysis.facts(run.value(), quality, tables.value());
  loaded.facts.calls = std::move(calls);
  loaded.facts.function_list = analysis.function_list(tables.value());
  analysis::add_sampled_functions(loaded.facts);
  loaded.diagnosis = diagnosis::diagnose(loaded.facts, thresholds);
  if (auto said = catalog.diagnosis()) loaded.said = std::move(said).value();
  return loaded;
}

}  // namespace latido::session
