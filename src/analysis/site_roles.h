// SiteRoles: what the analysis needs to know of a call site, by its id, without looking at names.
//
// Brought up to date with the tables before each batch of events; 4 bytes a site.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/timeline.h"

namespace latido::analysis {

// The arguments that the recorder's hooks attach to a span.
enum class ArgName : std::uint8_t {
  kBatch,   // number of the batch within its iterator
  kLoader,  // number of the DataLoader within its process
  kModel,
  kOptimizer,   // number of the optimizer within its process
  kPass,        // number of the backward pass, in a sampled step
  kQueueReady,  // batches that lay ready when the loop asked
  kRaised,      // 1: an exception left the span
  kSamples,     // size of the batch
  kStop,        // 1: the iterator was exhausted
  kWorker,      // number of the worker within its loader
  kWorkerPid,   // process that made the batch
  kOther,
};
inline constexpr std::size_t kArgNameCount = 11;  // kOther is not kept

enum class ValueName : std::uint8_t { kLoss, kGradNorm, kLearningRate, kOther };

enum class TextName : std::uint8_t {
  kLoaderFacts,
  kWorkerStart,
  kProcessFacts,
  kBatchShape,
  kOther
};

struct SiteRole {
  model::Category category = model::Category::kZone;
  ArgName arg = ArgName::kOther;
  ValueName value = ValueName::kOther;
  TextName text = TextName::kOther;
};

class SiteRoles {
 public:
  void update(const std::vector<model::Site>& sites);

  // nullptr for an id that no table has: the event is malformed.
  const SiteRole* find(model::SiteId site) const noexcept {
    const std::size_t i = model::index_of(site);
    return i < roles_.size() ? &roles_[i] : nullptr;
  }

 private:
  std::vector<SiteRole> roles_;
};

}  // namespace latido::analysis
