// Which optimizer's updates end a step, where several take turns.
//
// Called by StepFinder with the updates before and after the one in question. Pure.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace latido::analysis {

// An update is judged once this many later ones are known (or none will come).
inline constexpr std::size_t kRhythmLookAhead = 32;
// And with at most this many earlier ones.
inline constexpr std::size_t kRhythmLookBack = 32;
// An optimizer that steps less than once in so many updates never ends a step.
inline constexpr std::size_t kRarestRhythm = 8;

struct UpdateRhythm {
  std::span<const std::uint32_t> optimizers;  // of each update, oldest first
  std::size_t at = 0;                         // the update to judge
  bool ended = false;                         // nothing comes after the last one
  bool first_of_optimizer = false;
  std::span<const std::uint32_t>
      first_seen;  // every optimizer, in the order of their first updates
};

// Whether the update ends a step.
//
// Of the optimizers that take turns the one that steps least often ends the step: with 3 updates of a
// discriminator to 1 of a generator there are as many steps as generator updates. Between equals it is
// the one that came last, since it closes the first round. An optimizer takes turns with this one if
// it steps within the next 8 updates and this one steps again after it.
bool ends_step(const UpdateRhythm& rhythm) noexcept;

}  // namespace latido::analysis
