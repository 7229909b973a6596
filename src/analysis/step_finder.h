// StepFinder: finds the training steps of one thread from its beats.
//
// Which optimizer ends a step shows only later (a generator may follow after three updates of a
// discriminator), so the latest updates wait until enough is known; flush() judges them on a copy for
// the live view. Holds at most kMaxPending beats. Pure; not thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "analysis/beat.h"
#include "analysis/found_step.h"
#include "analysis/step_machine.h"

namespace latido::analysis {

class StepFinder {
 public:
  // More are judged with what is known: a run with so many beats between updates is still bounded.
  static constexpr std::size_t kMaxPending = 8192;

  // In time order. Steps that are sure now are appended to `out`.
  void add(Beat beat, std::vector<FoundStep>& out);

  // The rest, as if the recording ended at `now`. Steps after those that add() gave.
  struct Rest {
    std::vector<FoundStep> steps;
    OutsideTotals outside;  // of the whole thread so far
    bool in_step = false;   // a step had begun
  };
  Rest flush(const Mark& now) const;

  bool uses_api() const noexcept { return api_; }
  bool has_updates() const noexcept { return !optimizers_.empty(); }

 private:
  struct Optimizer {
    std::uint32_t id = 0;
    std::uint64_t last_activity = 0;
    std::uint64_t last_update = 0;  // number of the update
  };
  // A program that makes an optimizer for each step must not grow the table for ever.
  static constexpr std::size_t kMaxOptimizers = 64;

  void classify_update(Beat& beat);
  std::uint32_t due_optimizer() const noexcept;
  void note_activity(const Beat& beat) noexcept;
  bool judge(const Beat& beat, std::size_t update, bool ended) const;
  void consume_ready(std::vector<FoundStep>& out);
  void forget_old_updates();

  StepMachine machine_;
  std::deque<Beat> pending_;
  std::vector<std::uint32_t> updates_;  // optimizer of each update; judged ones first
  std::size_t judged_ = 0;              // of updates_
  std::uint64_t update_count_ = 0;
  std::vector<Optimizer> optimizers_;  // in the order of their first updates
  std::vector<std::uint32_t> first_seen_;
  std::uint64_t backwards_ = 0;
  std::uint64_t other_activity_ = 0;  // waits and forwards, for programs whose backward is not seen
  bool api_ = false;
};

}  // namespace latido::analysis
