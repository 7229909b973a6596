#include "analysis/loader_ledger.h"

#include <algorithm>

namespace latido::analysis {

const LoaderLedger::Loader* LoaderLedger::find(std::uint32_t loader) const noexcept {
  const auto it = std::find_if(loaders_.begin(), loaders_.end(),
                               [loader](const Loader& each) { return each.id == loader; });
  return it == loaders_.end() ? nullptr : &*it;
}

LoaderLedger::Loader& LoaderLedger::get(std::uint32_t loader) {
  const auto it = std::find_if(loaders_.begin(), loaders_.end(),
                               [loader](const Loader& each) { return each.id == loader; });
  if (it != loaders_.end()) return *it;
  if (loaders_.size() >= kMaxLoaders) loaders_.erase(loaders_.begin());
  loaders_.push_back(Loader{.id = loader});
  return loaders_.back();
}

void LoaderLedger::on_start(std::uint32_t loader) { get(loader).batches_since_start = 0; }

void LoaderLedger::on_batch(std::uint32_t loader) {
  for (Loader& each : loaders_) each.last = false;
  Loader& own = get(loader);
  own.fresh = true;
  own.last = true;
  ++own.batches_since_start;
}

void LoaderLedger::on_other_use() noexcept {
  for (Loader& each : loaders_) each.fresh = false;
}

void LoaderLedger::on_backward() noexcept {
  for (Loader& each : loaders_) {
    each.training = each.training || each.fresh || each.last;
    each.fresh = false;
  }
}

bool LoaderLedger::is_training(std::uint32_t loader) const noexcept {
  const Loader* const own = find(loader);
  return own != nullptr && own->training;
}

std::uint64_t LoaderLedger::batches_since_start(std::uint32_t loader) const noexcept {
  const Loader* const own = find(loader);
  return own == nullptr ? 0 : own->batches_since_start;
}

}  // namespace latido::analysis
