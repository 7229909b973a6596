// LoaderLedger: which loaders of a thread feed its training, by what their batches were used for.
//
// A training loader is the one that gave the last batch before a backward, and any other that gave one
// since the last backward with no evaluation in between (zip of two loaders).
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace latido::analysis {

class LoaderLedger {
 public:
  void on_start(std::uint32_t loader);
  void on_batch(std::uint32_t loader);
  // A no-grad forward, or a loader was exhausted: earlier batches were not for training.
  void on_other_use() noexcept;
  void on_backward() noexcept;

  bool is_training(std::uint32_t loader) const noexcept;
  // Batches since the loader started last.
  std::uint64_t batches_since_start(std::uint32_t loader) const noexcept;

 private:
  struct Loader {
    std::uint32_t id = 0;
    bool training = false;
    bool fresh = false;  // gave a batch since the last backward
    bool last = false;   // gave the last batch of all
    std::uint64_t batches_since_start = 0;
  };
  // A program that makes a loader for each step must not grow the ledger for ever.
  static constexpr std::size_t kMaxLoaders = 64;

  Loader& get(std::uint32_t loader);
  const Loader* find(std::uint32_t loader) const noexcept;

  std::vector<Loader> loaders_;  // the most lately added last
};

}  // namespace latido::analysis
