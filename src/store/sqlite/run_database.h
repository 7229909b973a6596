// Opens run.db with the journal that its file system allows and the schema of this version.
//
// Called by session (to record) and by commands (to read). One connection serves RunCatalog and
// SqliteSeriesStore of the same thread.
#pragma once

#include <filesystem>

#include "base/result.h"
#include "store/sqlite/database.h"

namespace latido::store {

// WAL needs shared memory between the processes that have the file open, which network file systems
// do not give.
enum class Journal : std::uint8_t { kWal, kRollback };
Journal journal_for(const std::filesystem::path& folder);

// A committed transaction survives the death of the recorder; a power cut may take the last ones,
// which spares the machine under measurement an fsync a second.
Result<Database> create_run_database(const std::filesystem::path& path);
Result<Database> create_run_database(const std::filesystem::path& path, Journal journal);

// kUnsupported when recorded by a newer version. An older file is migrated, for which its folder must
// be writable.
Result<Database> open_run_database(const std::filesystem::path& path);

// Leaves one file that can be copied and opened anywhere, without side files. To be called when the
// recording ends; a reader that has the file open just then makes it a no-op.
Status seal_run_database(Database& database);

}  // namespace latido::store
