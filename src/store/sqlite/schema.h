// The tables of run.db, and how a file of an older version becomes one of this version.
//
// docs/formats/run-folder.md describes every column. Used by open_run_database() only.
#pragma once

#include "base/result.h"
#include "store/sqlite/database.h"

namespace latido::store {

inline constexpr int kSchemaVersion = 4;

// 0 for an empty file.
Result<int> schema_version(Database& database);

// Brings the file up to kSchemaVersion, step by step, in one transaction.
Status migrate(Database& database);

// kUnsupported when the file is of a newer version than this program.
Status check_schema(Database& database);

}  // namespace latido::store
