// CallTreeStore: the sampled call paths of a run in run.db.
//
// Used by session while recording (each put is one transaction) and by commands that read. Borrows the
// database; same thread. Errors as database.h says.
#pragma once

#include <cstdint>

#include "base/result.h"
#include "model/call_tree.h"
#include "store/sqlite/database.h"

namespace latido::store {

class CallTreeStore {
 public:
  // `database` must outlive the store.
  explicit CallTreeStore(Database& database) : database_(database) {}

  // Frames and nodes of `part` become those from `first_frame` and `first_node` on; its times and counts
  // replace former ones.
  Status put(std::uint32_t first_frame, std::uint32_t first_node, const model::CallTree& part);

  // Empty when nothing was sampled. kDataLoss when it hangs together no more: a node without its parent,
  // a time without its node.
  Result<model::CallTree> read();

 private:
  Status put_frames(std::uint32_t first, const model::CallTree& part);
  Status put_nodes(std::uint32_t first, const model::CallTree& part);
  Status put_times(const model::CallTree& part);
  Status put_counts(const model::SamplingCounts& counts);

  Database& database_;
};

}  // namespace latido::store
