// seal_batches: rewrites the batches of run.db into chunks, inside the caller's transaction.
//
// Called by SqliteSeriesStore. Works on groups of series, so that its memory does not grow with their
// number: the batches are read once per group.
#pragma once

#include <cstddef>

#include "base/result.h"
#include "store/sqlite/database.h"

namespace latido::store {

Status seal_batches(Database& database, std::size_t series_count);

}  // namespace latido::store
