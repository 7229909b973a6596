// NamedTables: the tables of a timeline that is being read, with the names of its C and C++ functions.
//
// For exports, which write while they read: names are known from run.db before the first event. On one thread.
#pragma once

#include <vector>

#include "model/function_name.h"
#include "model/timeline.h"

namespace latido::session {

class NamedTables {
 public:
  explicit NamedTables(std::vector<model::FunctionName> names) : names_(std::move(names)) {}

  // `tables` as they are now, grown since the last call. Valid until the next one.
  const model::Tables& update(const model::Tables& tables);

  bool has_names() const noexcept { return !names_.empty(); }

 private:
  std::vector<model::FunctionName> names_;
  model::Tables named_;
};

}  // namespace latido::session
