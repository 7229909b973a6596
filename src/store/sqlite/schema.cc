#include "store/sqlite/schema.h"

#include <array>
#include <string>

namespace latido::store {
namespace {

// Entry i brings version i to i + 1. Released entries are never edited.
constexpr std::array<const char*, kSchemaVersion> kMigrations{R"(
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE processes (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL, parent_pid INTEGER NOT NULL,
  start_ns INTEGER NOT NULL, end_ns INTEGER,
  command TEXT NOT NULL, role TEXT NOT NULL, rank INTEGER);
CREATE TABLE steps (
  process INTEGER NOT NULL, number INTEGER NOT NULL,
  start_ns INTEGER NOT NULL, wall_ns INTEGER NOT NULL,
  data_wait_ns INTEGER, h2d_ns INTEGER, forward_ns INTEGER, backward_ns INTEGER,
  comm_wait_ns INTEGER, optimizer_ns INTEGER, other_ns INTEGER,
  checkpoint_ns INTEGER, evaluation_ns INTEGER, loader_start_ns INTEGER,
  zones_ns INTEGER, unnamed_ns INTEGER,
  batches INTEGER NOT NULL, backwards INTEGER NOT NULL, optimizer_calls INTEGER NOT NULL,
  samples INTEGER NOT NULL, loss REAL, grad_norm REAL, learning_rate REAL,
  flags INTEGER NOT NULL,
  PRIMARY KEY (process, number)) WITHOUT ROWID;
CREATE TABLE segments (
  number INTEGER PRIMARY KEY, bytes INTEGER NOT NULL,
  min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL, events INTEGER NOT NULL);
CREATE TABLE series (
  id INTEGER PRIMARY KEY, metric TEXT NOT NULL, process INTEGER, label TEXT NOT NULL);
CREATE TABLE batches (
  sequence INTEGER PRIMARY KEY, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL,
  points INTEGER NOT NULL, data BLOB NOT NULL);
CREATE TABLE times (id INTEGER PRIMARY KEY, data BLOB NOT NULL);
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY, series INTEGER NOT NULL, min_ns INTEGER NOT NULL, max_ns INTEGER NOT NULL,
  points INTEGER NOT NULL, times INTEGER NOT NULL REFERENCES times (id), data BLOB NOT NULL);
CREATE INDEX chunks_by_series ON chunks (series, min_ns);
CREATE TABLE findings (position INTEGER PRIMARY KEY, rule TEXT NOT NULL, finding TEXT NOT NULL);
)",
                                                              R"(
CREATE TABLE call_frames (
  id INTEGER PRIMARY KEY, function TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL);
CREATE TABLE call_nodes (
  id INTEGER PRIMARY KEY, parent INTEGER NOT NULL, frame INTEGER NOT NULL, line INTEGER NOT NULL);
CREATE TABLE call_times (
  process INTEGER NOT NULL, main_thread INTEGER NOT NULL, node INTEGER NOT NULL,
  busy_ns INTEGER NOT NULL, idle_ns INTEGER NOT NULL,
  PRIMARY KEY (process, main_thread, node)) WITHOUT ROWID;
CREATE TABLE call_counts (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
)",
                                                              R"(
CREATE TABLE function_names (
  site TEXT NOT NULL, module TEXT NOT NULL,
  name TEXT NOT NULL, file TEXT NOT NULL, line INTEGER NOT NULL,
  PRIMARY KEY (site, module)) WITHOUT ROWID;
)",
                                                              R"(
ALTER TABLE call_times RENAME TO call_times_before;
CREATE TABLE call_times (
  process INTEGER NOT NULL, main_thread INTEGER NOT NULL, from_first_step INTEGER NOT NULL,
  node INTEGER NOT NULL, busy_ns INTEGER NOT NULL, idle_ns INTEGER NOT NULL,
  PRIMARY KEY (process, main_thread, from_first_step, node)) WITHOUT ROWID;
INSERT INTO call_times SELECT process, main_thread, 0, node, busy_ns, idle_ns FROM call_times_before;
DROP TABLE call_times_before;
)"};

}  // namespace

Result<int> schema_version(Database& database) {
  auto exists = database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'meta'");
  if (!exists.has_value()) return std::move(exists).error();
  const auto has_meta = exists.value().step();
  if (!has_meta.has_value()) return has_meta.error();
  if (!has_meta.value()) return 0;
  auto query = database.prepare("SELECT value FROM meta WHERE key = 'schema_version'");
  if (!query.has_value()) return std::move(query).error();
  const auto row = query.value().step();
  if (!row.has_value()) return row.error();
  if (!row.value()) return Error{ErrorCode::kDataLoss, "run.db does not say its schema version"};
  return static_cast<int>(query.value().integer(0));
}

Status migrate(Database& database) {
  return database.transaction([&]() -> Status {
    const auto version = schema_version(database);
    if (!version.has_value()) return version.error();
    for (int i = version.value(); i < kSchemaVersion; ++i) {
      Status done = database.execute(kMigrations[static_cast<std::size_t>(i)]);
      if (!done.has_value()) return done;
    }
    return database.execute("INSERT OR REPLACE INTO meta VALUES ('schema_version', '" +
                            std::to_string(kSchemaVersion) + "')");
  });
}

Status check_schema(Database& database) {
  const auto version = schema_version(database);
  if (!version.has_value()) return version.error();
  if (version.value() <= kSchemaVersion) return ok();
  return Error{ErrorCode::kUnsupported, "recorded by a newer version of latido (run.db schema " +
                                            std::to_string(version.value()) +
                                            ", this one reads up to " +
                                            std::to_string(kSchemaVersion) + ")"};
}

}  // namespace latido::store
