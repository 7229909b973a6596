// FunctionNameStore: the names of C and C++ functions of a run, as they were found when it ended.
//
// Used by session, on one thread. Borrows the database. Errors as database.h says.
#pragma once

#include <span>
#include <vector>

#include "base/result.h"
#include "model/function_name.h"
#include "store/sqlite/database.h"

namespace latido::store {

class FunctionNameStore {
 public:
  // `database` must outlive the store.
  explicit FunctionNameStore(Database& database) : database_(database) {}

  // Added to those that are there; the same site of the same module is replaced.
  Status put(std::span<const model::FunctionName> names);
  Result<std::vector<model::FunctionName>> read();

 private:
  Database& database_;
};

}  // namespace latido::store
